"""Language models that bots consult: what a model is, what it was asked and answered, what that costs, and the desk at
which the bots of one match consult them. Only :mod:`arena.consultation.endpoint` reaches a network."""
