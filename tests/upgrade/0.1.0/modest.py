"""Opens what it can fill by itself, helps others for a dividend."""

from arena.bot import Bot
from arena.games.board import AcceptView, Close, CloseView, Draw, GiveUp, Open, Roll, TurnView, Yes


class Modest(Bot):
    def turn(self, view: TurnView):
        mine = {p.family for p in view.placards if p.owner == self.seat} | {c.family for c in view.hand}
        if set(view.space.required) <= mine and not view.failed_here:
            return Open()
        return Draw() if view.rolled else Roll()

    def accept(self, view: AcceptView):
        able = self.refusal(view, Yes()) is None
        return able and view.boss != self.seat and view.offer.price >= view.dividend

    def close(self, view: CloseView):
        closings = [move for move in self.legal_moves(view) if isinstance(move, Close)]
        return closings[0] if closings else GiveUp() if view.tick > 1 else None
