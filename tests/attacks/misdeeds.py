"""Misdeeds that end in a fault of the bot's own seat, or in none because they harm nobody.

Each is the body of a bot's class; its ``turn`` comes around several times.
"""

from __future__ import annotations

from textwrap import dedent, indent
from typing import NamedTuple


class Misdeed(NamedTuple):
    """What a bot does, and which fault of its seat that may be (none: it plays to the end)."""

    body: str
    faults: frozenset[str] = frozenset()


def late(body: str) -> Misdeed:
    return Misdeed(body, frozenset({"late"}))


def dead(body: str) -> Misdeed:
    return Misdeed(body, frozenset({"dead"}))


def broken(body: str, *others: str) -> Misdeed:
    return Misdeed(body, frozenset({"broken", *others}))


def garbled(body: str, *others: str) -> Misdeed:
    return Misdeed(body, frozenset({"garbled", *others}))


HEAD = """\
from __future__ import annotations
import ctypes, json, os, signal, sys, threading, time
from arena.bot import *; from arena.games.board import *


class Player(BoardBot):
    def play_on(self, view):
        return Draw() if view.rolled else Roll()

    def once(self, *threads):
        if not hasattr(self, "threads"):
            self.threads = [threading.Thread(target=each, daemon=True) for each in threads]
            for thread in self.threads:
                thread.start()

    def turn(self, view):
        return self.play_on(view)

"""


def code(body: str) -> str:
    """The file of a bot with these lines in its class."""
    return HEAD + indent(dedent(body), "    ") + "\n"


MISDEEDS: dict[str, Misdeed] = {
    "sleeps": late("def turn(self, view): time.sleep(60)"),
    "answers-just-in-time": Misdeed(
        """
        def turn(self, view):
            time.sleep(0.45)
            return self.play_on(view)

        def offer(self, view): time.sleep(0.45)
        def interrupt(self, view): time.sleep(0.45)
        """,
        frozenset({"overtime"}),
    ),
    "loops": late("def turn(self, view):\n    while True: pass"),
    "holds-the-interpreter-in-c": late("def turn(self, view): ctypes.PyDLL(None).sleep(60)"),
    "catches-everything": late(
        """
        def turn(self, view):
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
            for number in {*range(1, 32)} - {signal.SIGKILL, signal.SIGSTOP}:
                signal.signal(number, signal.SIG_IGN)
            while True:
                try: time.sleep(60)
                except BaseException: pass
        """
    ),
    "leaves-an-alarm": late(
        """
        def turn(self, view):
            signal.signal(signal.SIGALRM, lambda *_: time.sleep(60))
            signal.setitimer(signal.ITIMER_REAL, 0.001, 0.1)
            return self.play_on(view) if time.sleep(0.01) is None else None
        """
    ),
    "stops-itself": late("def turn(self, view): os.kill(os.getpid(), signal.SIGSTOP)"),
    "drips": late(
        """
        def turn(self, view):
            while True:
                os.write(4, b" ")
                time.sleep(0.005)
        """
    ),
    "an-endless-message": late(
        """
        def turn(self, view):
            class Endless(Exception):
                def __str__(self):
                    while True: time.sleep(60)
            raise Endless
        """
    ),
    "never-starts": late("def start(self, start): time.sleep(60)"),
    "os-exit": dead("def turn(self, view): os._exit(0)"),
    "segfault": dead("def turn(self, view): ctypes.string_at(0)"),
    "aborts": dead("def turn(self, view): os.abort()"),
    "kills-itself": dead("def turn(self, view): os.kill(os.getpid(), signal.SIGKILL)"),
    "corrupts-its-memory": dead("def turn(self, view): ctypes.memset(id(None) - 4096, 0x41, 65536)"),
    "closes-its-output": dead("def turn(self, view):\n    os.close(4)\n    time.sleep(60)"),
    "forges-a-death": dead("def turn(self, view):\n    os.closerange(0, 64)\n    os._exit(0)"),
    "sys-exit": broken("def turn(self, view): sys.exit(0)"),
    "raises-keyboard-interrupt": broken("def turn(self, view): raise KeyboardInterrupt"),
    "unpicklable": broken(
        """
        def turn(self, view):
            class Odd(Exception):
                def __reduce__(self): raise TypeError("no pickle")
            raise Odd(lambda: 0)
        """
    ),
    "unprintable": broken(
        """
        def turn(self, view):
            class Odd(Exception):
                def __str__(self): raise SystemExit
                __repr__ = __str__
            raise Odd
        """
    ),
    "prints-control-characters": broken(
        "def turn(self, view): raise ValueError('\\x1b[2J\\u202e\\x00\\ud800\\r\\n{}')"
    ),
    "recurses": broken("def turn(self, view): return self.turn(view)"),
    "memory-without-end": broken(
        """
        def turn(self, view):
            if hasattr(self, 'held'): raise MemoryError  # there is no more of it the next time
            self.held = []
            self.held = [bytearray(1 << 22) for _ in range(9999)]
        """,
        "refused",
        "late",
    ),
    "threads-without-end": broken(
        """
        def turn(self, view):
            for _ in range(9999): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        """,
        "refused",
    ),
    "a-reply-of-20-mb": garbled("def turn(self, view): return Reply(self.play_on(view), note='x' * 20_000_000)"),
    # on a busy machine it is late before it has made the line
    "a-line-of-20-mb": garbled("def turn(self, view): os.write(4, b'x' * 20_000_000 + b'\\n')", "broken", "late"),
    "an-endless-line": garbled("def turn(self, view):\n    while True: os.write(4, b'x' * 4096)"),
    "endless-lines": garbled("def turn(self, view):\n    while True: os.write(4, b'\\n' * 4096)"),
    "floods-between-asks": garbled(
        """
        def turn(self, view):
            self.once(self.flood)
            return self.play_on(view)

        def flood(self):
            while True: os.write(4, b'{}\\n' * 1000)
        """
    ),
    "writes-beside-the-protocol": garbled(
        "def turn(self, view):\n    os.write(4, b'hello\\n')\n    return self.play_on(view)"
    ),
    "lies-about-its-id": garbled(
        """
        def turn(self, view):
            os.write(4, b'{"type":"reply","id":999,"move":{"move":"roll"}}\\n')
            return self.play_on(view)
        """
    ),
    "replies-before-it-is-asked": garbled(
        """
        def start(self, start):
            os.write(4, b'{"type":"reply","id":0}\\n' + b'{"type":"reply","id":1,"move":{"move":"roll"}}\\n' * 3)
        """
    ),
    "replies-twice": garbled(
        """
        def turn(self, view):
            os.write(4, b'{"type":"reply","id":1,"move":{"move":"roll"}}\\n')
            return self.play_on(view)
        """
    ),
    "speaks-for-another-seat": garbled(
        """
        def turn(self, view):
            os.write(4, b'{"type":"reply","id":1,"seat":0,"move":{"move":"draw"}}\\n')
            return self.play_on(view)
        """
    ),
    "not-a-number": garbled(
        """
        def turn(self, view):
            os.write(4, b'{"type":"reply","id":NaN,"move":{"move":"roll","x":-Infinity}}\\n')
            return self.play_on(view)
        """
    ),
    "huge-numbers": garbled(
        """
        def turn(self, view):
            os.write(4, b'{"type":"reply","id":' + b'9' * 60000 + b'}\\n{"type":"reply","id":1e400}\\n')
            return self.play_on(view)
        """
    ),
    "nests-deeply": garbled(
        "def turn(self, view):\n    os.write(4, b'{\"a\":' * 10_000 + b'\\n')\n    return self.play_on(view)"
    ),
    "nul-and-broken-utf-8": garbled(
        "def turn(self, view):\n    os.write(4, b'\\x00\\xff\\xfe\\xc0\\x80\\r\\n')\n    return self.play_on(view)"
    ),
    "half-a-character": garbled("def turn(self, view): return Reply(self.play_on(view), say='\\ud800')"),
    "says-too-much": garbled("def turn(self, view): return Reply(self.play_on(view), say='x' * 201)"),
    "an-odd-object": garbled(
        """
        def turn(self, view):
            class Odd(str):
                def __eq__(self, other): os._exit(0)
                __hash__ = None
            return Odd()
        """
    ),
    "a-number-that-is-none": garbled("def turn(self, view): return Open(lay=(float('nan'),))"),
    "cheats": Misdeed("def turn(self, view): return Roll() if view.rolled else Draw()", frozenset({"illegal"})),
    # these harm nobody, and are played to the end
    "prints-and-prints": Misdeed(
        """
        def turn(self, view):
            print('x' * 2_000_000)
            sys.stderr.write('y' * 99)
            return self.play_on(view)
        """
    ),
    "prints-between-asks": Misdeed(
        """
        def turn(self, view):
            self.once(self.flood)
            return self.play_on(view)

        def flood(self):
            while True: os.write(2, b'x' * 65536)
        """
    ),
    "closes-stdout": Misdeed(
        """
        def turn(self, view):
            for number in (0, 1, 2):
                try: os.close(number)
                except OSError: pass
            return self.play_on(view)
        """
    ),
    "computes-between-asks": Misdeed(
        """
        def turn(self, view):
            threading.stack_size(1 << 18)  # four stacks of the usual size might not go into the bot's memory
            self.once(*[self.burn] * 4)
            return self.play_on(view)

        def burn(self):
            import zlib
            data = bytes(1_000_000)
            while True: zlib.crc32(data)  # without memory that each thread would reserve a heap of its own for
        """
    ),
    "never-leaves": Misdeed("def finish(self, finish): time.sleep(60)"),
    "patches-arena": Misdeed(
        """
        def turn(self, view):
            import msgspec, arena.players.inprocess as inside, arena.sandbox.lock as lock
            time.perf_counter = lambda: 0.0
            inside.perf_counter = lambda: 0.0
            lock.lock = inside.broken = print
            Draw.__call__ = None
            return self.play_on(view)
        """
    ),
    "talks-in-riddles": Misdeed(
        "def turn(self, view): return Reply(self.play_on(view), say='\\u202e\\0\\x1b[2J\\u2028', note='\\x07' * 1000)"
    ),
}
