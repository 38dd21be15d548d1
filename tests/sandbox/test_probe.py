"""Layers of the sandbox: each is tried before it is relied on, and together they reach a level that has a name."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from typing import Any

import pytest

from arena.errors import UserError
from arena.runs.planning import isolation_level
from arena.sandbox import seccomp
from arena.sandbox.calls import MACHINE
from arena.sandbox.numbers import AARCH64, BY_MACHINE, X86_64
from arena.sandbox.policy import Layer, SandboxPolicy
from arena.sandbox.probe import (
    LEVEL_LAYERS,
    LayerProbe,
    Level,
    MemoryWay,
    level_of,
    policy_here,
    probe_layers,
    probe_memory,
)


def run(program: Iterable[seccomp.Instruction], number: int, *arguments: int) -> int:
    """What a filter says to a system call, in a machine of our own."""
    architecture, _ = BY_MACHINE[MACHINE]
    data = struct.pack("=IIQ6Q", number, architecture, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    code, at, word = list(program), 0, 0
    while True:
        operation, yes, no, operand = code[at]
        at += 1
        if operation == seccomp.LOAD:
            (word,) = struct.unpack_from("=I", data, operand)
        elif operation == seccomp.JUMP:
            at += operand
        elif operation == seccomp.AND:
            word &= operand
        elif operation == seccomp.RETURN:
            return operand
        else:
            tests = {
                seccomp.EQUAL: word == operand,
                seccomp.AT_LEAST: word >= operand,
                seccomp.ANY_BIT: bool(word & operand),
            }
            at += yes if tests[operation] else no


needs_filter = pytest.mark.skipif(MACHINE not in BY_MACHINE, reason="no list of system calls for this machine")
ME = 4242


def judged(number: int, *arguments: int, replace: bool = False) -> int:
    """What the filter says to a system call of the process ``ME``."""
    return run(seccomp.filter_instructions(ME, replace), number, *arguments)


@needs_filter
def test_the_filter_lets_pass_and_refuses_by_number_and_argument() -> None:
    _, numbers = BY_MACHINE[MACHINE]
    refused, unknown = seccomp.FAIL_CALL | 1, seccomp.FAIL_CALL | 38
    assert judged(0) == seccomp.ALLOW_CALL
    for name in seccomp.FORBIDDEN | {"execve"}:
        if name in numbers:
            assert judged(numbers[name]) == refused, name
    assert judged(seccomp.NEWEST_CALL) == unknown
    assert judged(numbers["clone3"]) == unknown
    assert judged(seccomp.X32 | 1) == unknown
    thread, process = 0x3D0F00, 0x1200011
    assert judged(numbers["clone"], thread) == seccomp.ALLOW_CALL
    assert judged(numbers["clone"], process) == refused
    assert judged(numbers["clone"], 0x8011) == refused
    for name in ("setsid", "seccomp"):
        assert judged(numbers[name]) == refused, name
    assert judged(numbers["kill"], ME) == seccomp.ALLOW_CALL
    for other in (1, 0, 2**32 - 1, 2**64 - 1):
        assert judged(numbers["kill"], other) == refused
    assert judged(numbers["socketpair"], 1, 0x80001) == seccomp.ALLOW_CALL
    assert judged(numbers["socketpair"], 1, 2) == refused
    assert judged(numbers["sendto"], 3, 0, 0, 0, 0) == seccomp.ALLOW_CALL
    assert judged(numbers["sendto"], 3, 0, 0, 0, 2**40) == refused
    assert judged(numbers["prctl"], 1) == refused
    assert judged(numbers["prctl"], 15) == seccomp.ALLOW_CALL
    for name in ("clock_gettime", "clock_getres", "clock_nanosleep", "timer_create"):
        for clock in (0, 1, 3, 11, ~0 << 3 | 2, ~0 << 3 | 6, ~ME << 3 | 6):
            assert judged(numbers[name], clock % 2**64) == seccomp.ALLOW_CALL
        for clock in (~1 << 3 | 2, ~1 << 3, ~ME << 3 | 2, ~5 << 3 | 3):
            assert judged(numbers[name], clock % 2**64) == refused
    again = seccomp.FAIL_CALL | 11
    for operation, verdict in (
        (128, seccomp.ALLOW_CALL),
        (129, seccomp.ALLOW_CALL),
        (393, seccomp.ALLOW_CALL),
        (0, again),
        (9, again),
    ):
        assert judged(numbers["futex"], 0, operation) == verdict, operation
    for operation in (1, 3, 4, 5, 6, 10, 11):
        assert judged(numbers["futex"], 0, operation) == refused, operation
    assert judged(numbers["futex"], 0, 265) == again
    for name in seccomp.UNSEEN_CALLS:
        assert judged(numbers[name]) == unknown
    for advice, verdict in (
        (4, seccomp.ALLOW_CALL),
        (14, seccomp.ALLOW_CALL),
        (12, refused),
        (20, refused),
        (21, refused),
    ):
        assert judged(numbers["madvise"], 0, 0, advice) == verdict, advice
    shared, private, anonymous, huge, no_reserve = 0x01, 0x02, 0x20, 0x40000, 0x4000
    for flags, verdict in (
        (private | anonymous, seccomp.ALLOW_CALL),
        (private | anonymous | no_reserve, seccomp.ALLOW_CALL),
        (shared, seccomp.ALLOW_CALL),  # of a file
        (shared | anonymous, refused),
        (shared | private | anonymous, refused),  # MAP_SHARED_VALIDATE
        (private | anonymous | huge, refused),
        (shared | huge, refused),
    ):
        assert judged(numbers["mmap"], 0, 4096, 3, flags, 2**64 - 1) == verdict, flags
        assert (
            run(seccomp._compile_filter(seccomp._refused_building()), numbers["mmap"], 0, 4096, 3, flags) == verdict
        ), flags
    assert judged(numbers["preadv2"], 3, 0, 1, 0, 0, 0) == seccomp.ALLOW_CALL
    assert judged(numbers["preadv2"], 3, 0, 1, 0, 0, 8) == refused
    for name, place in seccomp.OF_A_PROCESS.items():
        for whose, verdict in ((0, seccomp.ALLOW_CALL), (ME, seccomp.ALLOW_CALL), (ME + 1, refused), (1, refused)):
            assert judged(numbers[name], *([0] * place), whose) == verdict, name
    assert judged(numbers["sched_getaffinity"], ME) == seccomp.ALLOW_CALL
    assert judged(numbers["sched_getaffinity"], ME + 1) == unknown
    for whose in (0, ME):
        assert judged(numbers["prlimit64"], whose, 7, 0, 1) == seccomp.ALLOW_CALL
        assert judged(numbers["prlimit64"], whose, 7, 1 << 40, 0) == refused
        assert judged(numbers["prlimit64"], whose, 7, 1 << 8, 0) == refused
    assert judged(numbers["prlimit64"], 1, 7, 0, 1) == refused
    for level, option, verdict in ((1, 3, seccomp.ALLOW_CALL), (1, 57, refused), (6, 3, refused)):
        assert judged(numbers["getsockopt"], 3, level, option) == verdict
    assert judged(numbers["prctl"], 67) == refused
    assert judged(numbers["fcntl"], 0, 8) == refused
    assert judged(numbers["fcntl"], 0, 3) == seccomp.ALLOW_CALL


@needs_filter
def test_a_program_may_still_be_replaced_where_that_is_wanted() -> None:
    _, numbers = BY_MACHINE[MACHINE]
    assert judged(numbers["execve"], replace=True) == seccomp.ALLOW_CALL
    assert judged(numbers["execveat"], replace=True) == seccomp.FAIL_CALL | 1


@needs_filter
def test_the_filter_as_bytes_knows_its_process() -> None:
    whole = b"".join(struct.pack("=HBBI", *each) for each in seccomp.filter_instructions(ME))
    filter = seccomp.prepared_filter(False)
    filter.name(ME)
    assert filter.code == whole


def test_no_two_system_calls_share_a_number_and_all_that_is_forbidden_has_one() -> None:
    for numbers in (X86_64, AARCH64):
        assert len(set(numbers.values())) == len(numbers)
        assert max(numbers.values()) < seccomp.NEWEST_CALL
    assert set(X86_64) >= seccomp.FORBIDDEN
    assert set(X86_64) >= set(AARCH64)


def test_levels_build_on_one_another() -> None:
    layers: list[Layer] = []
    for level, needed in LEVEL_LAYERS.items():
        layers += needed
        assert level_of(layers) is level
    assert level_of([Layer.SECCOMP, Layer.LANDLOCK]) is Level.NONE
    assert list(LEVEL_LAYERS) == list(Level)
    assert set(layers) == set(Layer)


def test_every_layer_is_probed_and_said_to_hold_or_why_not() -> None:
    assert [each.layer for each in probe_layers()] == list(Layer)
    assert all(each.found for each in probe_layers())
    assert set(policy_here(SandboxPolicy()).layers) == {each.layer for each in probe_layers() if each.holds}


def test_what_limits_memory_is_probed_too_and_said_to_hold_or_why_not() -> None:
    found = {each.way: each for each in probe_memory()}
    assert list(found) == list(MemoryWay)
    assert all(each.found for each in found.values())
    seccomp_holds = any(each.holds for each in probe_layers() if each.layer is Layer.SECCOMP)
    assert found[MemoryWay.FILTER].holds is seccomp_holds
    assert found[MemoryWay.CGROUP].holds is bool(policy_here(SandboxPolicy()).groups)


def test_a_system_that_cannot_hold_strangers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    weak = tuple(LayerProbe(layer, layer in (Layer.SESSION, Layer.LIMITS), "not here") for layer in Layer)
    monkeypatch.setattr(isolation_level, "probe_layers", lambda: weak)
    monkeypatch.setattr(
        isolation_level,
        "policy_here",
        lambda policy: SandboxPolicy(layers=tuple(each.layer for each in weak if each.holds)),
    )
    with pytest.raises(UserError, match="reaches only level process, not locked"):
        isolation_level.choose_isolation(trust=False, require=Level.LOCKED)
    found = isolation_level.choose_isolation(trust=False)
    assert found.level is Level.PROCESS
    assert found.warn().startswith(
        "isolation process is not safe against strangers' bots: parent, privileges, landlock"
    )
    assert isolation_level.choose_isolation(trust=True).level is Level.NONE
    assert isolation_level.choose_isolation(trust=False, require=Level.PROCESS) == found
    assert isolation_level.choose_isolation(trust=True).warn() == ""
    with pytest.raises(UserError, match="level locked is required, but trusted bots have level none"):
        isolation_level.choose_isolation(trust=True, require=Level.LOCKED)


def test_the_doctor_prints_the_probe(arena: Any) -> None:
    ran = arena("doctor")
    assert ran.code == 0
    for layer in Layer:
        assert f"\n{layer}" in ran.out
    report = json.loads(arena("doctor", "--json").out)
    assert report["level"] in list(Level)
    assert f"\nlevel {report['level']}; " in ran.out
