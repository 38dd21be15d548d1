"""Recorded calls of models: what each was asked and answered, and the cassette of a match, which holds them all.

A cassette is JSON Lines: a header, then one call a line, ordered by ask, seat and place among the calls of that ask.
What may have been written by others is read in bounds.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

import msgspec

from arena.consultation.backend import Completion
from arena.consultation.model_spec import MatchModels
from arena.consulting.consultation import Consult
from arena.errors import ReplayError
from arena.foreign_files import DECODE_ERRORS, LARGEST_FILE_BYTES
from arena.players.consult_desk import CallDigest

CASSETTE_FORMAT = "arena-cassette/1"
REFUSED_FINISH = "request-refused"
"""The ``finish`` of a call that the model's endpoint refused: the answer's text has its words."""
UNPAID_FINISH = "budget-used-up"
"""The ``finish`` of a call that was not made, because the budget of its bot or author was used up: the answer's text
says so. It is recorded because others spend from such budgets too, so that the match alone does not decide it."""
UNREACHABLE_FINISH = "unreachable"
"""The ``finish`` of a call whose model was given up: there is no answer, and the match is void."""
SUSPENDED_FINISH = "suspended"
"""The ``finish`` of a call that suspended its match, in a journal alone: the call is made again, but attempts at it may
have cost something."""
_encode = msgspec.json.Encoder(order="deterministic").encode


class RecordedCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One call: the ``ask`` and ``seat`` for which it was made, the ``request``, which of this seat's equal requests in
    the match it was (``occurrence``, from 0), and the model's ``answer``."""

    ask: int
    seat: int
    request: Consult
    occurrence: int
    answer: Completion

    @property
    def digest(self) -> CallDigest:
        """What the replay keeps of it."""
        return CallDigest(digest_request(self.request), self.occurrence, digest_answer(self.answer))

    @property
    def answered(self) -> bool:
        """Whether the model, or its endpoint, has answered."""
        return self.answer.finish not in (UNPAID_FINISH, UNREACHABLE_FINISH, SUSPENDED_FINISH)

    @property
    def suspended(self) -> bool:
        """Whether the match stopped at it, so that it was made again."""
        return self.answer.finish == SUSPENDED_FINISH

    @property
    def given_up(self) -> bool:
        """Whether the model was given up: the answer is none."""
        return self.answer.finish == UNREACHABLE_FINISH


def digest_request(request: Consult) -> str:
    """The SHA-256 of a request in canonical JSON (keys sorted), in hexadecimal."""
    return sha256(_encode(request)).hexdigest()


def digest_answer(answer: Completion) -> str:
    """The SHA-256 of an answer in canonical JSON, without the seconds that it took, in hexadecimal."""
    return sha256(_encode([answer.text, answer.finish, answer.tokens])).hexdigest()


def encode_call(call: RecordedCall) -> bytes:
    """A line of a cassette, with its line break."""
    return _encode(call) + b"\n"


class CassetteHeader(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line of a cassette: its format, the id of its match, and the entrants by seat; in one that lies in no
    folder of a run also the ``models`` of the match."""

    format: str
    id: str
    entrants: tuple[str, ...]
    models: MatchModels | None = None


class Cassette(NamedTuple):
    """The calls of one match, with the match's ``id`` and its ``entrants`` by seat; ``models`` where it says of itself
    which these are."""

    id: str
    entrants: tuple[str, ...]
    calls: list[RecordedCall]
    models: MatchModels | None = None


def encode_header(id: str, entrants: tuple[str, ...]) -> bytes:
    """The first line of a cassette, with its line break."""
    return msgspec.json.encode(CassetteHeader(CASSETTE_FORMAT, id, entrants)) + b"\n"


def encode_cassette(cassette: Cassette) -> bytes:
    """A cassette as a file."""
    calls = sorted(cassette.calls, key=lambda call: (call.ask, call.seat))
    return encode_header(cassette.id, cassette.entrants) + b"".join(map(encode_call, calls))


def with_models(cassette: bytes, models: MatchModels) -> bytes:
    """A cassette that lies in no folder of a run, and says itself which models its match had."""
    first, _, rest = cassette.partition(b"\n")
    header = msgspec.structs.replace(msgspec.json.decode(first, type=CassetteHeader), models=models)
    return msgspec.json.encode(header) + b"\n" + rest


_decode = msgspec.json.Decoder(RecordedCall).decode


def read_cassette(content: bytes, of: str) -> Cassette:
    """A cassette, which ``of`` names in errors. Raises ReplayError."""
    if len(content) > LARGEST_FILE_BYTES:
        raise ReplayError(f"{of}: a cassette of {len(content)} bytes; at most {LARGEST_FILE_BYTES} are read")
    first, _, rest = content.partition(b"\n")
    try:
        header = msgspec.json.decode(first, type=CassetteHeader)
    except DECODE_ERRORS as problem:
        raise ReplayError(f"{of}: line 1: no cassette: {problem}") from None
    if header.format != CASSETTE_FORMAT:
        raise ReplayError(f"{of}: line 1: the format is {header.format!r}; this arena knows {CASSETTE_FORMAT}")
    *whole, last = rest.split(b"\n")
    if last:
        raise ReplayError(f"{of}: line {len(whole) + 2}: cut off")
    found = []
    for number, line in enumerate(whole, 2):
        try:
            found.append(_decode(line))
        except DECODE_ERRORS as problem:
            raise ReplayError(f"{of}: line {number}: no call of a model: {problem}") from None
    if wrong := next((call.seat for call in found if not 0 <= call.seat < len(header.entrants)), None):
        raise ReplayError(f"{of}: a call of seat {wrong}; there are {len(header.entrants)} seats")
    if header.models is not None and not header.models.fit(len(header.entrants)):
        raise ReplayError(f"{of}: line 1: the models are not those of {len(header.entrants)} seats")
    return Cassette(header.id, header.entrants, found, header.models)


def request_difference(request: Consult, recorded: Iterable[RecordedCall], seat: int) -> str:
    """In words, where ``request`` differs first from the recorded request of this seat that is nearest to it: the one
    whose conversation begins alike for longest."""
    nearest, most, ours = None, -1, _plain(request)
    for call in recorded:
        if call.seat != seat:
            continue
        alike = _shared_start(ours, _plain(call.request))
        if alike > most:
            nearest, most = call, alike
    if nearest is None:
        return f"nothing of seat {seat} is recorded"
    theirs = _plain(nearest.request)
    if ours == theirs:
        return f"it was recorded {nearest.occurrence + 1} times, and is asked once more"
    start = max(0, most - 20)
    return (
        f"nearest recording: ask {nearest.ask}; they differ from character {most}: "
        f"recorded …{theirs[start : most + 40]!r}, now …{ours[start : most + 40]!r}"
    )


def _plain(request: Consult) -> str:
    return _encode(request).decode()


def _shared_start(one: str, other: str) -> int:
    """How many characters at the beginning are the same, by halving: each character is looked at a few times, in C."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
