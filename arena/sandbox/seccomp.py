"""A seccomp filter: system calls that a bot's process may not make fail with EPERM.

Refused are the calls in :data:`FORBIDDEN`, some calls depending on their arguments, and all calls newer than this file.
See ``man 2 seccomp``.

Some calls are allowed only on the process itself, so the filter contains its pid: :func:`prepared_filter` makes the
filter once, in the fork server, and :func:`install_filter` writes the pid into it."""

from __future__ import annotations

import ctypes
import errno
import struct
import sys
from functools import lru_cache

from arena.sandbox.calls import MACHINE, prctl, system_call
from arena.sandbox.numbers import BY_MACHINE

PR_SET_NO_NEW_PRIVS, SET_MODE_FILTER = 38, 1
LOAD, JUMP, EQUAL, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x54, 0x06
ALLOW_CALL, KILL_PROCESS, FAIL_CALL = 0x7FFF0000, 0x80000000, 0x00050000
NEWEST_CALL = 470
"""System calls from this number on did not exist when the list was written."""
X32 = 0x40000000

FORBIDDEN = frozenset({
    "socket", "connect", "accept", "accept4", "bind", "listen", "fork", "vfork", "execveat", "tkill",
    "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal", "pidfd_open", "pidfd_getfd", "ptrace",
    "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "io_uring_setup",
    "io_uring_enter", "io_uring_register", "unshare", "setns", "mount", "umount2", "pivot_root", "chroot",
    "open_tree", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "statmount",
    "listmount", "open_tree_attr", "bpf", "perf_event_open", "add_key", "request_key", "keyctl", "userfaultfd",
    "init_module", "delete_module", "finit_module", "kexec_load", "kexec_file_load", "reboot", "swapon",
    "swapoff", "acct", "sethostname", "setdomainname", "settimeofday", "clock_settime", "adjtimex",
    "clock_adjtime", "syslog", "quotactl", "quotactl_fd", "lookup_dcookie", "iopl", "ioperm", "modify_ldt",
    "personality", "vhangup", "uselib", "setuid", "setgid", "setreuid", "setregid", "setgroups", "setresuid",
    "setresgid", "setfsuid", "setfsgid", "capset", "setpgid", "setsid", "setrlimit", "setpriority",
    "ioprio_set", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr", "chmod",
    "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime", "utimes", "futimesat",
    "utimensat", "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr",
    "setxattrat", "removexattrat", "file_setattr", "flock", "memfd_create", "memfd_secret", "shmget", "shmat",
    "shmctl", "semget", "semop", "semctl", "semtimedop", "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open",
    "mq_unlink", "name_to_handle_at", "open_by_handle_at", "fanotify_init", "fanotify_mark", "inotify_init",
    "inotify_init1", "inotify_add_watch", "mbind", "set_mempolicy", "migrate_pages", "move_pages",
    "landlock_create_ruleset", "seccomp", "truncate", "sync", "syncfs", "fsync", "fdatasync", "sync_file_range",
    "sendmsg", "sendmmsg", "mincore", "cachestat", "fadvise64", "readahead", "getrusage", "sysinfo", "statfs",
    "fstatfs", "ustat", "io_setup", "io_destroy", "io_submit", "io_cancel", "io_getevents", "io_pgetevents",
    "setsockopt", "vmsplice",
})  # fmt: skip
"""Calls that are refused whatever their arguments: those for other processes, the network, privileges and namespaces;
other ways to make system calls; calls that change files without opening them; objects that are shared by name or
outlive a process; calls that slow everybody's disk, or use up a user's quota (descriptors in messages); calls that
reveal or change what all processes share: which pages of files are in memory (getrusage counts those that were not),
how many processes there are, how much memory and disk is free; and the call that leaves memory in a pipe, where no
limit counts it."""
TO_BUILD = frozenset({
    "fork", "vfork", "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime",
    "utimes", "futimesat", "utimensat", "flock", "truncate", "sync", "fsync", "fdatasync", "sync_file_range", "setpgid",
    "setrlimit", "sendmsg", "mincore", "fadvise64", "readahead", "getrusage", "sysinfo", "statfs",
    "fstatfs", "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid",
})  # fmt: skip
"""Those of the forbidden calls that compilers and similar programs need. A command that builds a bot may make them: it
knows of no match, so it has nothing to reveal; and without privileges it cannot become another user."""
UNSEEN_CALLS = ("clone3", "openat2", "futex_waitv", "futex_wake", "futex_wait", "futex_requeue")
"""Calls whose arguments a filter cannot see, and newer forms of a call whose arguments it checks. They fail as if the
system did not have them, so that libraries fall back on older calls."""

CLONE_THREAD, STREAM_TYPE, UNIX_FAMILY = 0x10000, 1, 1
NEGATIVE_CLOCK, THREAD_CLOCK, OWN_CLOCKS = 1 << 31, 4, (0xFFFFFFF8, 0xFFFFFFF9, 0xFFFFFFFA)
"""CPU-time clocks of processes have negative numbers. Allowed are those of one's own threads (the kernel checks that)
and of one's own process, named without its pid. The clocks of other processes would reveal what they do."""
DUPLICATE_DESCRIPTOR, DESCRIPTOR_FLAGS, DUPLICATE_CLOEXEC, PIPE_SIZE = 0, (1, 2, 3, 4), 1030, 1032
"""fcntl: copying descriptors and their flags are allowed; locks and leases of files, larger pipes and signals to others
are not."""
TERMINAL_SETTINGS, TERMINAL_2, WINDOW_SIZE, READY_BYTES, SET_BLOCKING, CLOEXEC_FLAGS = (
    0x5401,
    0x802C542A,
    0x5413,
    0x541B,
    0x5421,
    (0x5450, 0x5451),
)
"""ioctl: asking whether this is a terminal and how much there is to read is allowed; changing the flags of files, which
are stored on disk, is not."""
NEW_NAMESPACES, TYPE_FOR_ME, TYPE_ON_CONSOLE = 0x7E020080, 0x5412, 0x541C
"""clone: flags for new namespaces; ioctl: typing into a terminal in its user's name."""
NO_ACCESS, TRUNCATE_FLAG = 3, 0x200  # open: ways that Landlock does not look at, some of its versions at least
PDEATHSIG, DUMPABLE, PTRACER = 1, 4, 0x59616D61  # prctl: outliving the parent, being looked into
SCHED_CORE, MEMORY_MERGE = 62, 67  # prctl: sharing a core, offering pages of equal content to be merged
ALLOWED_ADVICE = (0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 23, 102, 103)
"""madvise: what allocators and interpreters use. Merging pages of equal content, and driving pages of files out of
memory, can be noticed by other processes."""
FUTEX_PRIVATE, FUTEX_COMMAND, FUTEX_WAIT, FUTEX_WAIT_BITSET = 0x80, 0x7F, 0, 9
"""futex: without the flag ``FUTEX_PRIVATE``, processes that have mapped the same file can wait for and wake each other,
even where the file is only read. Such a wake-up is refused. Such a wait ends at once, as if it had come too late: when
a thread ends, it wakes those who wait for it in this way (``pthread_join``), at an address that it can choose; they
check again."""
SHARED_ANONYMOUS, HUGE_PAGES = 0x21, 0x40000
"""mmap: memory that is shared but lies in no file remains until its last page is unmapped, while limits count only what
is mapped: so it would be invisible. The machine's pool of huge pages is counted nowhere, and is so small that taking
pages from it would be noticed by another match."""
SET_PIPE_SIZE = 1031
SOCKET_LEVEL, SOCKET_OPTIONS = 1, (2, 3, 4, 7, 8, 30, 38, 39)
"""getsockopt: the socket's type, error, sizes and the like may be read, but not its number among all sockets."""
OF_A_PROCESS = {
    "getpgid": 0, "getsid": 0, "getpriority": 1, "ioprio_get": 1, "sched_getscheduler": 0, "sched_getparam": 0,
    "sched_getattr": 0, "sched_rr_get_interval": 0, "get_robust_list": 0,
}  # fmt: skip
"""Calls that reveal something about the process that an argument names, and whether it exists; the value is the
argument's index."""

Instruction = tuple[int, int, int, int]
_ALLOW_CODE, _REFUSE_CODE = (RETURN, 0, 0, ALLOW_CALL), (RETURN, 0, 0, FAIL_CALL | errno.EPERM)
_UNKNOWN_CODE, _FAIL_AGAIN = (RETURN, 0, 0, FAIL_CALL | errno.ENOSYS), (RETURN, 0, 0, FAIL_CALL | errno.EAGAIN)


def install_filter(process: int, program: bool = False) -> None:
    """Install the filter in this process, whose pid is ``process``, permanently; with ``program`` the process may still
    execute a program. Raises OSError if the kernel does not support such filters."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    filter = prepared_filter(program)
    filter.name(process)
    system_call(_machine_calls()[1]["seccomp"], SET_MODE_FILTER, 0, filter.header)


class Filter:
    """A filter in the kernel's form: its ``code``, and a ``header`` with its length and address."""

    def __init__(self, compiled: list[Instruction]) -> None:
        self.code = bytearray(b"".join(struct.pack("=HBBI", *each) for each in compiled))
        self._places = [8 * place + 4 for place, each in enumerate(compiled) if each[3] == _PROCESS_PLACEHOLDER]
        self.header = struct.pack("@HP", len(compiled), ctypes.addressof(ctypes.c_char.from_buffer(self.code)))

    def name(self, process: int) -> None:
        """Write the pid into the filter, in place."""
        for place in self._places:
            self.code[place : place + 4] = process.to_bytes(4, sys.byteorder)


@lru_cache
def prepared_filter(program: bool) -> Filter:
    """The filter for a process of any pid, made once."""
    return Filter(filter_instructions(_PROCESS_PLACEHOLDER, program))


def to_build() -> bytes:
    """The filter for commands that build a bot, as bytes: they may start processes, but not in a new namespace, change
    files, and send signals to nobody. Raises OSError where this machine's system calls are not known."""
    return bytes(Filter(_compile_filter(_refused_building())).code)


def install_to_build() -> None:
    """Install the filter of :func:`to_build` in this process, permanently. Raises OSError if the kernel does not
    support such filters."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    filter = Filter(_compile_filter(_refused_building()))
    system_call(_machine_calls()[1]["seccomp"], SET_MODE_FILTER, 0, filter.header)


def _refused_building() -> dict[str, list[Instruction]]:
    """The calls whose arguments are checked during a build, with the instructions for each. The pid 0 is the caller's
    own."""
    checks = _argument_checks(0)
    refused = {name: [_REFUSE_CODE] for name in (FORBIDDEN - TO_BUILD) | {"kill", "tgkill"}}
    unseen = {name: [_UNKNOWN_CODE] for name in UNSEEN_CALLS if not name.startswith("futex")}
    kept = {name: checks[name] for name in ("mmap", "sched_getaffinity", "socketpair", "sendto", *OF_A_PROCESS)}
    own = {
        "prlimit64": [(LOAD, 0, 0, _argument_offset(0)), (EQUAL, 1, 0, 0), _REFUSE_CODE, _ALLOW_CODE],
        "clone": [(LOAD, 0, 0, _argument_offset(0)), (ANY_BIT, 0, 1, NEW_NAMESPACES), _REFUSE_CODE, _ALLOW_CODE],
        "fcntl": [(LOAD, 0, 0, _argument_offset(1)), (EQUAL, 0, 1, SET_PIPE_SIZE), _REFUSE_CODE, _ALLOW_CODE],
        "ioctl": [
            (LOAD, 0, 0, _argument_offset(1)),
            (EQUAL, 1, 0, TYPE_FOR_ME),
            (EQUAL, 0, 1, TYPE_ON_CONSOLE),
            _REFUSE_CODE,
            _ALLOW_CODE,
        ],
        "prctl": [
            (LOAD, 0, 0, _argument_offset(0)),
            (EQUAL, 1, 0, PTRACER),
            (EQUAL, 0, 1, SCHED_CORE),
            _REFUSE_CODE,
            _ALLOW_CODE,
        ],
    }
    return refused | unseen | kept | own


_PROCESS_PLACEHOLDER = 0x7FFF_5EA7
"""A placeholder for the pid, higher than any pid."""


def filter_instructions(process: int, program: bool = False) -> list[Instruction]:
    """The filter for the process of this pid: operation, jump if true, jump if false, operand."""
    refused = {name: [_REFUSE_CODE] for name in FORBIDDEN | (set() if program else {"execve"})}
    return _compile_filter(refused | {name: [_UNKNOWN_CODE] for name in UNSEEN_CALLS} | _argument_checks(process))


def _machine_calls() -> tuple[int, dict[str, int]]:
    """The machine's architecture, and its system calls' numbers. Raises OSError."""
    if MACHINE not in BY_MACHINE:
        raise OSError(errno.ENOSYS, f"no list of system calls for {MACHINE}")
    return BY_MACHINE[MACHINE]


def _compile_filter(judged: dict[str, list[Instruction]]) -> list[Instruction]:
    """Instructions that jump to the code for the call's number.

    On installing a filter, the kernel runs it once for every number, to learn which calls always pass. So the number is
    found by binary search; a linear search took most of the time."""
    architecture, numbers = _machine_calls()
    codes = {numbers[name]: code for name, code in judged.items() if name in numbers}
    ranges: list[tuple[int, list[Instruction]]] = []  # each from a number on, until the next
    for number in range(NEWEST_CALL):
        code = codes.get(number, [_ALLOW_CODE])
        if not ranges or ranges[-1][1] != code:
            ranges.append((number, code))
    ranges.append((min(X32, NEWEST_CALL), [_UNKNOWN_CODE]))
    return [
        (LOAD, 0, 0, 4),
        (EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL_PROCESS),
        (LOAD, 0, 0, 0),
        *_halve_ranges(ranges),
    ]


def _halve_ranges(ranges: list[tuple[int, list[Instruction]]]) -> list[Instruction]:
    """Jump to the code of the range that contains the loaded number."""
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    below, above = _halve_ranges(ranges[:middle]), _halve_ranges(ranges[middle:])
    return [(AT_LEAST, 0, 1, ranges[middle][0]), (JUMP, 0, 0, len(below)), *below, *above]


def _argument_offset(index: int) -> int:
    """The offset of the low half of an argument in a filter's input."""
    return 16 + 8 * index


def _argument_checks(process: int) -> dict[str, list[Instruction]]:
    """The calls that are allowed for some arguments only, with the instructions that check these."""

    def only(index: int, *values: int) -> list[Instruction]:
        tests = [(EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
        return [(LOAD, 0, 0, _argument_offset(index)), *tests, _REFUSE_CODE, _ALLOW_CODE]

    def but(index: int, *values: int) -> list[Instruction]:
        tests = [(EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
        return [(LOAD, 0, 0, _argument_offset(index)), *tests, _ALLOW_CODE, _REFUSE_CODE]

    def opening(index: int) -> list[Instruction]:
        # opened neither for reading nor for writing, or opened for reading and truncated
        ways = [(LOAD, 0, 0, _argument_offset(index)), (AND, 0, 0, NO_ACCESS | TRUNCATE_FLAG)]
        return [
            *ways,
            (EQUAL, 3, 0, NO_ACCESS),
            (EQUAL, 2, 0, NO_ACCESS | TRUNCATE_FLAG),
            (EQUAL, 1, 0, TRUNCATE_FLAG),
            _ALLOW_CODE,
            _REFUSE_CODE,
        ]

    clock = [
        (LOAD, 0, 0, _argument_offset(0)),
        (ANY_BIT, 0, 5, NEGATIVE_CLOCK),
        (ANY_BIT, 4, 0, THREAD_CLOCK),
        *((EQUAL, len(OWN_CLOCKS) - place, 0, own) for place, own in enumerate(OWN_CLOCKS)),
        _REFUSE_CODE,
        _ALLOW_CODE,
    ]

    return {
        "clone": [(LOAD, 0, 0, _argument_offset(0)), (ANY_BIT, 1, 0, CLONE_THREAD), _REFUSE_CODE, _ALLOW_CODE],
        "kill": only(0, process),
        "tgkill": only(0, process),
        # reading one's own limits; a lower limit that all of a user's processes count against would tell their number
        "prlimit64": [
            (LOAD, 0, 0, _argument_offset(2)),
            (EQUAL, 0, 5, 0),
            (LOAD, 0, 0, _argument_offset(2) + 4),
            (EQUAL, 0, 3, 0),
            (LOAD, 0, 0, _argument_offset(0)),
            (EQUAL, 2, 0, 0),
            (EQUAL, 1, 0, process),
            _REFUSE_CODE,
            _ALLOW_CODE,
        ],
        **{name: only(place, 0, process) for name, place in OF_A_PROCESS.items()},
        # asked of each thread by pthread_getattr_np, which does without where the system has no such call
        "sched_getaffinity": [*only(0, 0, process)[:-2], _UNKNOWN_CODE, _ALLOW_CODE],
        "futex": [
            (LOAD, 0, 0, _argument_offset(1)),
            (ANY_BIT, 5, 0, FUTEX_PRIVATE),
            (AND, 0, 0, FUTEX_COMMAND),
            (EQUAL, 2, 0, FUTEX_WAIT),
            (EQUAL, 1, 0, FUTEX_WAIT_BITSET),
            _REFUSE_CODE,
            _FAIL_AGAIN,
            _ALLOW_CODE,
        ],
        "mmap": [
            (LOAD, 0, 0, _argument_offset(3)),
            (ANY_BIT, 2, 0, HUGE_PAGES),
            (AND, 0, 0, SHARED_ANONYMOUS),
            (EQUAL, 0, 1, SHARED_ANONYMOUS),
            _REFUSE_CODE,
            _ALLOW_CODE,
        ],
        "madvise": only(2, *ALLOWED_ADVICE),
        **dict.fromkeys(("preadv2", "pwritev2"), only(5, 0)),
        "getsockopt": [
            (LOAD, 0, 0, _argument_offset(1)),
            (EQUAL, 1, 0, SOCKET_LEVEL),
            _REFUSE_CODE,
            *only(2, *SOCKET_OPTIONS),
        ],
        "fcntl": only(1, DUPLICATE_DESCRIPTOR, *DESCRIPTOR_FLAGS, DUPLICATE_CLOEXEC, PIPE_SIZE),
        "ioctl": only(1, TERMINAL_SETTINGS, TERMINAL_2, WINDOW_SIZE, READY_BYTES, SET_BLOCKING, *CLOEXEC_FLAGS),
        "open": opening(1),
        "openat": opening(2),
        "prctl": but(0, PDEATHSIG, DUMPABLE, PTRACER, SCHED_CORE, MEMORY_MERGE),
        "socketpair": [
            (LOAD, 0, 0, _argument_offset(0)),
            (EQUAL, 0, 3, UNIX_FAMILY),
            (LOAD, 0, 0, _argument_offset(1)),
            (AND, 0, 0, 0xF),
            (EQUAL, 1, 0, STREAM_TYPE),
            _REFUSE_CODE,
            _ALLOW_CODE,
        ],
        **dict.fromkeys(("clock_gettime", "clock_getres", "clock_nanosleep", "timer_create"), clock),
        "sendto": [
            (LOAD, 0, 0, _argument_offset(4)),
            (EQUAL, 0, 2, 0),
            (LOAD, 0, 0, _argument_offset(4) + 4),
            (EQUAL, 1, 0, 0),
            _REFUSE_CODE,
            _ALLOW_CODE,
        ],
    }
