"""``arena serve``: where it listens, what it says, how it ends."""

from __future__ import annotations

import http.client
import os
import signal
import socket
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox.policy import Layer
from arena.sandbox.probe import probe_layers
from tests.conftest import write_player
from tests.played_run import play_run

TINY = "name: tiny\nentrants: [silent, greedy]\neditions: [{rules: eagle-gryphon, changes: {max_turns: 2}}]\nseats: 2\n"
"""A tournament of two matches."""


@pytest.mark.slow
def test_it_says_its_address_answers_there_and_ends_with_ctrl_c(launch: Any, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "tiny.yaml").write_text(TINY)
    play_run(tmp_path / "results", TINY)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "results").rglob("*")}
    server = launch("serve", "results", "--port", "0")
    url = server.stdout.readline().decode().strip()
    port = int(url.removeprefix("http://127.0.0.1:").removesuffix("/"))
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    for path, status in (("/", 200), ("/run/../../tiny.yaml", 404), ("/run/%2e%2e/tiny.yaml", 404), ("/x\\..\\y", 404)):
        asked.request("GET", path)
        answer = asked.getresponse()
        assert (answer.status, b"tiny.yaml" in answer.read()) == (status, False)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "server" not in answer.headers
    asked.close()
    os.kill(server.pid, signal.SIGINT)
    out, told = server.communicate(timeout=20)
    assert (server.returncode, out) == (130, b"")
    assert told.decode() == "serving results; end it with Ctrl-C\narena: stopped\n"
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "results").rglob("*")} == before


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """What is enough to be called a run."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "matches.jsonl").touch()
    return tmp_path / "run"


def test_a_port_that_is_taken_is_said_with_what_to_do(arena: Any, run: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        told = f"arena: port {port} of 127.0.0.1 is taken by another program; choose one with --port, or 0 for any free"
        assert arena("serve", run, "--port", port) == (2, "", f"{told}\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["serve", "."], "arena: . holds nothing that can be served: expected a run, a ladder, or a folder that holds"),
        (["serve", "run", "--host", "192.0.2.7"], "arena: --host 192.0.2.7: this machine does not have that address"),
        (["serve", "run", "--host", "no.such.name.invalid"], "arena: --host no.such.name.invalid: "),
        (
            ["serve", "run", "--host", "0.0.0.0", "--operator"],
            "arena: --operator shows data that is not public; it is only for ",
        ),
        (
            ["serve", "run", "--port", "70000"],
            "Error: Invalid value for '--port': 70000 is not in the range",
        ),
        (["serve", "nowhere"], "Error: Invalid value for 'DIR': Directory 'nowhere' does not exist."),
    ],
)
def test_what_cannot_be_served_is_said_in_a_line(arena: Any, tmp_path: Path, words: list[str], told: str) -> None:
    (tmp_path / "empty").mkdir()
    if words[1] == "run":
        (tmp_path / "run").mkdir()
        (tmp_path / "run" / "matches.jsonl").touch()
    ran = arena(*words)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


CURIOUS = """\
def turn(self, view):
    import socket
    try:
        socket.create_connection(("127.0.0.1", PORT), 5).sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
    except OSError as problem:
        raise RuntimeError(f"kept out by {type(problem).__name__}")
    raise RuntimeError("the server was reached")
"""
LOCKED = {Layer.LANDLOCK, Layer.SECCOMP} <= {each.layer for each in probe_layers() if each.holds}


@pytest.mark.slow
@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(
            ["--require", "locked", "--seed", "b7c1d20e9f4a6538e1027d9c54ab36f8"],
            b"kept out by PermissionError",
            marks=pytest.mark.skipif(not LOCKED, reason="this system cannot lock processes in"),
        ),
        (["--trust"], b"the server was reached"),
    ],
)
def test_a_bot_in_a_sandbox_cannot_reach_it_and_one_that_is_trusted_can(
    arena: Any, launch: Any, run: Path, tmp_path: Path, words: list[str], told: bytes
) -> None:
    server = launch("serve", run, "--port", "0")
    port = server.stdout.readline().decode().strip().rstrip("/").rpartition(":")[2]
    write_player(tmp_path, CURIOUS.replace("PORT", port), "curious")
    ran = arena("match", "./curious.py", "greedy", "--strikes", 1, "--rule", "max_turns=3", "-o", "m.jsonl", *words)
    assert ran.code == 0, ran.err
    assert told in (tmp_path / "m.jsonl").read_bytes()
    os.kill(server.pid, signal.SIGINT)
    assert server.wait(20) == 130
