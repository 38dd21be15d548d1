"""The models that the bots of a recorded match could consult, and what these answered: from the folder of its run."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from arena.config.tournament_yaml import load_tournament
from arena.consultation.call_record import read_cassette
from arena.consultation.match_desk import MatchDesk
from arena.consultation.model_spec import MatchModels
from arena.foreign_files import read_foreign_file
from arena.players.consult_desk import NO_MODELS, ConsultDesk
from arena.replay.lines import Header
from arena.runs.models.live_desks import LiveDesks
from arena.storage.layout import CONFIG_FILE
from arena.storage.packs.replay_packs import CASSETTES_FOLDER, KeptReplays


class RecordedModels(NamedTuple):
    """The models of a match (None: its bots could consult none), the ``cassette`` of their answers, and the entrants by
    seat."""

    models: MatchModels | None = None
    cassette: bytes = b""
    entrants: tuple[str, ...] = ()

    def make_desk(self, live: LiveDesks | None = None, id: str = "") -> ConsultDesk:
        """A desk that answers from the cassette; what it lacks is asked at the ``live`` desk of the match of this
        ``id``, or where there is none, not at all. Raises ReplayError for a damaged cassette, UserError where the user
        has not allowed the models, or one fails."""
        if self.models is None:
            return NO_MODELS
        calls = read_cassette(self.cassette, "the cassette").calls if self.cassette else []
        if live is not None:
            return live.open_desk(id, self.models, self.entrants, calls)
        return MatchDesk(self.models, self.entrants, calls)


def cassette_beside(path: Path) -> Path:
    """The cassette of the match whose replay is the file at ``path``, outside of the folder of a run."""
    return path.with_suffix(".cassette")


def recorded_models(path: Path, header: Header) -> RecordedModels:
    """The models of the match whose replay is at ``path``, in a run's folder or elsewhere. Raises ReplayError for a
    damaged cassette, and ConfigError for a configuration that cannot be read."""
    with suppress(FileNotFoundError):
        content = read_foreign_file(beside := cassette_beside(path))
        found = read_cassette(content, str(beside))
        if found.id == header.id:
            return RecordedModels(found.models, content, found.entrants)
    for folder in path.resolve().parents:
        config = folder / CONFIG_FILE
        if config.is_file():
            break
    else:
        return RecordedModels()
    if not (folder / CASSETTES_FOLDER).is_dir():
        return RecordedModels()  # reading the configuration takes long
    tournament = load_tournament(config, files=False)
    if not tournament.models:
        return RecordedModels()
    allowed = {entrant.name: entrant.models for entrant in tournament.entrants}
    entrants = tuple(seat.entrant for seat in header.seats)
    models = MatchModels(
        tournament.models, tuple(allowed.get(entrant, ()) for entrant in entrants), tournament.consulting
    )
    return RecordedModels(models, KeptReplays(folder, CASSETTES_FOLDER).get(header.id) or b"", entrants)
