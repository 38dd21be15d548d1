"""What kinds of faults mean stands in one place; the wire protocol agrees with it."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from arena.players.faults import FaultKind
from arena.protocol.messages import Failed
from arena.protocol.reading import Garbled, read_hello


def test_over_the_wire_a_bot_claims_the_claimable_faults_and_no_others() -> None:
    (claimed,) = (field.type for field in msgspec.structs.fields(Failed) if field.name == "kind")
    assert set(get_args(claimed)) == {kind.value for kind in FaultKind if kind.claimable}
    for kind in FaultKind:
        line = b'{"type":"fault","id":0,"kind":"%s"}' % kind.value.encode()
        if kind.claimable:
            read_hello(line)
        else:
            with pytest.raises(Garbled):
                read_hello(line)


def test_what_a_bot_claims_has_not_ended_its_process_for_certain() -> None:
    assert not any(kind.claimable and kind.always_gone for kind in FaultKind)
    assert all(kind.may_be_gone and kind.final for kind in FaultKind if kind.always_gone)
