"""Attempts at what the system must refuse: each bot tries all of some kinds in its first turn, tells in the note of its
reply what it reached, and plays on.

An attempt is an expression. It is refused when it raises an OSError that says so; a value that is empty reached
nothing. Whatever else happens is told, so that a slip in an attempt is not taken for a refusal.
"""

from __future__ import annotations

HEAD = """\
from __future__ import annotations
import array, ctypes, errno, fcntl, gc, glob, json, mmap, os, platform, resource, signal, socket, struct, subprocess
import sys, threading, time
from multiprocessing import shared_memory
from pathlib import Path
from arena.bot import *; from arena.games.board import *

OWN, FOLDER = __file__, os.path.dirname(__file__)
PLACES = json.loads(Path(FOLDER, "places.json").read_text())
REFUSED = {errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EROFS, errno.ENOENT}  # or is not there to be found
libc = ctypes.CDLL(None, use_errno=True)


def checked(value):
    if value < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return value or True


def syscall(number, *words):
    if platform.machine() != "x86_64":
        raise OSError(errno.ENOSYS, "other numbers here")
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    return checked(libc.syscall(ctypes.c_long(number), *words))


def given(value):
    if value < 0 and ctypes.get_errno() == errno.EAGAIN:
        raise PermissionError(errno.EPERM, "not at this time")
    return checked(value)


def in_a_library():
    return ctypes.cast(libc.getpid, ctypes.c_void_p).value & ~3


def waits(operation):
    address, second = ctypes.c_void_p(in_a_library()), struct.pack("qq", 1, 0)
    held = ctypes.c_uint.from_address(address.value).value
    return given(libc.syscall(202, address, operation, held, second, 0, -1))


def reading_shows(path):
    before = os.stat(path).st_atime_ns
    os.listdir(path) if os.path.isdir(path) else Path(path).read_bytes()
    return os.stat(path).st_atime_ns != before


def mapped():
    return mmap.mmap(os.open(OWN, os.O_RDONLY), 0, mmap.MAP_SHARED, mmap.PROT_READ)


def address_of(mapping):
    found = (ctypes.c_void_p * 16)()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(mapping), found, 0)
    return found[0]


def started(child):
    if not child:
        os._exit(0)
    return child


def flagged(path):
    with open(path) as file:
        flags = array.array("l", [0])
        fcntl.ioctl(file, 0x80086601, flags)
        return fcntl.ioctl(file, 0x40086602, flags) == 0


def texts(roots):
    seen, todo, found = set(), list(roots), []
    while todo and len(seen) < 200_000:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if type(one) in (str, bytes):
            found.append(one if type(one) is str else one.decode("latin-1"))
        else:
            todo += gc.get_referents(one)
    return "\\n".join(found)


def known(*names):
    global PLACES
    PLACES = None
    text = texts([gc.get_objects(), sys.modules, sys.argv, sys.orig_argv, *frames()])
    PLACES = json.loads(Path(FOLDER, "places.json").read_text())
    return [place for name in names for place in PLACES[name] if place in text]


def descriptors():
    found = []
    for number in range(256):
        try:
            os.fstat(number)
            found.append(number)
        except OSError:
            pass
    return found


def frames():
    frame, found = sys._getframe(), []
    while frame:
        found += [frame.f_locals, frame.f_globals]
        frame = frame.f_back
    return found


def tried(attempts):
    told = []
    for attempt in attempts:
        try:
            reached = eval(attempt)
        except OSError as problem:
            if problem.errno not in REFUSED:
                told.append(f"{attempt}: {problem!r}")
        except BaseException as problem:
            told.append(f"{attempt}: {problem!r}")
        else:
            if reached:
                told.append(f"{attempt}: reached {reached!r:.50}")
    return "; ".join(told)[:900] or f"{len(attempts)} refused"
"""

PLAYER = """

class Player(BoardBot):
    told = ""

    def turn(self, view):
        note = ""
        if not self.told:
            note = self.told = tried(ATTEMPTS)
        return Reply(Draw() if view.rolled else Roll(), note=note)
"""

ATTEMPTS: dict[str, tuple[str, ...]] = {
    "reads-other-bots": (
        "open(PLACES['other']).read()",
        "os.open(PLACES['other'], 3)",
        "mmap.mmap(os.open(PLACES['other'], os.O_RDONLY), 0, prot=mmap.PROT_READ)",
        "__import__('runpy').run_path(PLACES['other'])",
        "open(PLACES['league'] + '/__pycache__/bystander.pyc', 'rb').read()",
        "open(PLACES['league'] + '/.git/config').read()",
        "os.listdir(PLACES['league'] + '/.git') and open(PLACES['league'] + '/.git/config').read()",
    ),
    "follows-links": (
        "open(PLACES['league'] + '/link.txt').read()",
        "open(PLACES['league'] + '/link-to-other.py').read()",
        "os.listdir(PLACES['league'] + '/link-to-home')",
        "open(PLACES['league'] + '/link-to-home/secret.txt').read()",
        "open(PLACES['league'] + '/../outside/secret.txt').read()",
    ),
    "reads-home": (
        "open(PLACES['home'] + '/secret.txt').read()",
        "os.listdir(PLACES['home'])",
        "list(os.scandir(PLACES['home']))",
        "glob.glob(PLACES['home'] + '/*')",
        "os.listdir('/home')",
        "os.open(PLACES['home'] + '/secret.txt', 3)",
        "os.open(PLACES['home'], os.O_RDONLY | os.O_DIRECTORY)",
    ),
    "reads-results": (
        "open(PLACES['results'] + '/config.resolved.yaml').read()",
        "open(PLACES['results'] + '/matches.jsonl').read()",
        "open(PLACES['tournament']).read()",
        "[open(path) for path in glob.glob(PLACES['results'] + '/**', recursive=True) if os.path.isfile(path)]",
    ),
    "reads-environment": (
        "os.environ",
        "os.environ.get('ARENA_SECRET')",
        "libc.getenv(b'ARENA_SECRET')",
        "open('/proc/self/environ', 'rb').read()",
        "open(f'/proc/{os.getppid()}/environ', 'rb').read()",
    ),
    "reads-system": (
        "open('/etc/passwd').read()",
        "open('/etc/shadow').read()",
        "open('/etc/hostname').read()",
        "os.listdir('/')",
        "os.listdir('/tmp')",
        "os.listdir('/dev/shm')",
        "os.listdir('/sys')",
        "os.path.exists('/dev/kmsg') and open('/dev/kmsg', 'rb')",
        "open('/dev/tty')",
        "os.open('/etc/shadow', 3)",
    ),
    "reads-processes": (
        "os.listdir('/proc')",
        "open('/proc/self/mem', 'rb')",
        "open('/proc/self/maps')",
        "open('/proc/self/status')",
        "os.listdir('/proc/self/fd')",
        "open(f'/proc/{os.getppid()}/mem', 'rb')",
        "open(f'/proc/{os.getppid()}/cmdline').read()",
        "os.listdir(f'/proc/{os.getppid()}/fd')",
        "os.readlink(f'/proc/{os.getppid()}/cwd')",
        "os.readlink(f'/proc/{os.getppid()}/exe')",
        "syscall(310, os.getppid(), ctypes.create_string_buffer(64), 1, ctypes.create_string_buffer(64), 1, 0)",
        "syscall(312, os.getpid(), os.getppid(), 0, 0, 0)",
    ),
    "writes": (
        "open(FOLDER + '/new.txt', 'w')",
        "open(OWN, 'a')",
        "open(OWN, 'r+')",
        "os.open(OWN, os.O_RDONLY | os.O_TRUNC)",
        "os.truncate(OWN, 0)",
        "open(PLACES['results'] + '/new.txt', 'w')",
        "open(PLACES['home'] + '/new.txt', 'w')",
        "open('/tmp/arena-was-here', 'w')",
        "open('/dev/shm/arena-was-here', 'w')",
        "os.open('/tmp', os.O_TMPFILE | os.O_RDWR)",
        "os.mkdir(FOLDER + '/new')",
        "os.symlink('/', FOLDER + '/new')",
        "os.link(OWN, FOLDER + '/new')",
        "os.rename(OWN, FOLDER + '/new')",
        "os.unlink(OWN)",
        "os.rmdir(FOLDER)",
        "os.mkfifo(FOLDER + '/new')",
        "os.mknod(FOLDER + '/new')",
        "shared_memory.SharedMemory('arena-was-here', create=True, size=4096)",
        "os.memfd_create('new')",
        "checked(libc.mq_open(b'/arena-was-here', os.O_CREAT | os.O_RDWR, 0o600, None))",
        "syscall(29, 0x5A5A, 4096, 0o1600)",
        "syscall(64, 0x5A5A, 1, 0o1600)",
        "syscall(68, 0x5A5A, 0o1600)",
    ),
    "changes-files": (
        "os.chmod(OWN, 0o777)",
        "os.chown(OWN, 1, 1)",
        "os.utime(OWN)",
        "os.setxattr(OWN, 'user.x', b'x')",
        "flagged(OWN)",
        "fcntl.fcntl(os.open(OWN, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
        "fcntl.lockf(os.open(OWN, os.O_RDONLY), fcntl.LOCK_SH) or True",
        "fcntl.flock(os.open(OWN, os.O_RDONLY), fcntl.LOCK_SH) or True",
        "mmap.mmap(os.open(OWN, os.O_RDONLY), 0, mmap.MAP_SHARED, mmap.PROT_WRITE)",
    ),
    "opens-tcp": (
        "socket.socket()",
        "socket.socket(socket.AF_INET6)",
        "socket.create_connection(('127.0.0.1', PLACES['port']))",
        "socket.create_server(('127.0.0.1', 0))",
        "syscall(42, 4, struct.pack('=HHIQ', 2, 80, 0, 0), 16)",
    ),
    "opens-udp-and-others": (
        "socket.socket(type=socket.SOCK_DGRAM)",
        "socket.socket(type=socket.SOCK_RAW)",
        "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
        "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
        "socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)",
        "socket.socket(socket.AF_VSOCK)",
        "socket.socketpair(socket.AF_TIPC)",
        "syscall(425, 8, ctypes.create_string_buffer(256))",
    ),
    "opens-unix-sockets": (
        "socket.socket(socket.AF_UNIX)",
        "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)",
        "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
        "socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)",
        "socket.socketpair()[0].sendto(b'x', PLACES['socket'])",
        "socket.socketpair()[0].sendto(b'x', '\\0' + PLACES['abstract'])",
    ),
    "runs-programs": (
        "os.execv('/bin/true', ['true'])",
        "os.execv(sys.executable, [sys.executable, '-c', ''])",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "subprocess.run(['true'])",
        "os.popen('true').read() or True",
        "syscall(322, os.open(sys.executable, os.O_RDONLY), b'', 0, 0, 0x1000)",
        "os.system('true') == 0",
    ),
    "forks": (
        "started(os.fork())",
        "started(os.forkpty()[0])",
        "started(syscall(57))",
        "started(syscall(56, 17, 0, 0, 0, 0))",
        "started(syscall(56, 0x00020000 | 17, 0, 0, 0, 0))",
        "started(syscall(435, ctypes.create_string_buffer(88), 88))",
        "__import__('multiprocessing').get_context('fork').Process(target=print).start() or True",
    ),
    "leaves-its-session": ("os.setsid()", "os.setpgid(0, 0) or True", "os.setpgrp()", "libc.daemon(0, 0) == 0"),
    "signals": (
        "os.kill(os.getppid(), signal.SIGCONT) or True",
        "os.kill(-1, 0) or True",
        "os.kill(0, 0) or True",
        "os.killpg(os.getpgid(os.getppid()), 0) or True",
        "[n for n in range(os.getpid() - 40, os.getpid() + 40) if n != os.getpid() and not libc.kill(n, 0)]",
        "os.pidfd_open(os.getppid())",
        "signal.pidfd_send_signal(4, 0) or True",
        "syscall(129, os.getppid(), 0, ctypes.create_string_buffer(128))",
        "syscall(200, os.getppid(), 0)",
        "syscall(234, os.getppid(), os.getppid(), 0)",
        "fcntl.fcntl(3, fcntl.F_SETOWN, os.getppid()) or True",
        "fcntl.fcntl(3, fcntl.F_SETSIG, 9) or True",
        "fcntl.ioctl(3, 0x8901, struct.pack('i', os.getppid())) or True",
        "checked(libc.prctl(1, 0, 0, 0, 0))",
        "checked(libc.prctl(4, 1, 0, 0, 0))",
    ),
    "traces": (
        "syscall(101, 0x4206, os.getppid(), 0, 0)",
        "syscall(101, 16, os.getppid(), 0, 0)",
        "syscall(101, 0, 0, 0, 0)",
        "checked(libc.prctl(0x59616D61, -1, 0, 0, 0))",
        "syscall(438, 3, 4, 0)",
        "syscall(440, 3, 0, 0, 20, 0)",
    ),
    "gains-powers": (
        "os.setuid(1) or True",
        "os.setresuid(0, 0, 0) or True",
        "os.setgid(1) or True",
        "os.setgroups([1]) or True",
        "syscall(126, struct.pack('=II', 0x20080522, 0), b'\\xff' * 24)",
        "syscall(272, 0x10000000)",
        "syscall(308, 3, 0)",
        "checked(libc.mount(b'none', b'/tmp', b'tmpfs', 0, None))",
        "os.chroot(FOLDER) or True",
        "syscall(135, 0x0040000)",
        "syscall(321, 0, 0, 0)",
        "syscall(298, 0, 0, 0, 0, 0)",
        "syscall(323, 0)",
        "syscall(250, 0, 0, 0, 0, 0)",
        "syscall(303, -100, OWN.encode(), ctypes.create_string_buffer(128), ctypes.create_string_buffer(8), 0)",
        "syscall(304, -100, ctypes.create_string_buffer(128), 0)",
        "syscall(437, -100, OWN.encode(), ctypes.create_string_buffer(24), 24)",
        "syscall(444, ctypes.create_string_buffer(24), 24, 0)",
        "syscall(317, 0, 0, 0)",
        "syscall(999)",
        "syscall(0x40000000 | 41, 2, 1, 0)",
    ),
    "raises-its-limits": (
        "syscall(302, 0, 7, struct.pack('QQ', 4096, 4096), 0)",
        "syscall(302, 0, 9, b'\\xff' * 16, 0)",
        "syscall(302, 0, 1, struct.pack('QQ', 4096, 4096), 0)",
        "syscall(302, os.getppid() or 1, 7, 0, ctypes.create_string_buffer(16))",
        "os.nice(-5)",
        "os.setpriority(os.PRIO_PROCESS, 0, -5) or True",
        "os.sched_setaffinity(0, range(64)) or True",
        "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)) or True",
        "open('/proc/self/oom_score_adj', 'w')",
        "checked(libc.mlockall(3))",
        "fcntl.fcntl(4, 1031, 1 << 20)",
    ),
    "looks-into-the-page-cache": (
        "syscall(27, ctypes.c_void_p(address_of(mapped())), 4096, ctypes.create_string_buffer(8))",
        "syscall(451, os.open(OWN, os.O_RDONLY), bytes(16), ctypes.create_string_buffer(40), 0)",
        "syscall(187, os.open(OWN, os.O_RDONLY), 0, 4096)",
        "os.preadv(os.open(OWN, os.O_RDONLY), [bytearray(9)], 0, os.RWF_NOWAIT)",
        "os.posix_fadvise(os.open(OWN, os.O_RDONLY), 0, 0, os.POSIX_FADV_DONTNEED) or True",
        "os.posix_fadvise(os.open(OWN, os.O_RDONLY), 0, 0, os.POSIX_FADV_WILLNEED) or True",
        "mapped().madvise(20) or True",
        "mapped().madvise(21) or True",
        "mapped().madvise(25) or True",
        "resource.getrusage(resource.RUSAGE_SELF).ru_majflt or True",
        "resource.getrusage(resource.RUSAGE_CHILDREN) and True",
        "resource.getrusage(resource.RUSAGE_THREAD) and True",
    ),
    "hides-memory": (
        "mmap.mmap(-1, 1 << 20)",
        "mmap.mmap(-1, 1 << 20, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | 0x4000)",
        "mmap.mmap(os.open('/dev/zero', os.O_RDWR), 1 << 20)",
        "os.memfd_create('pages', os.MFD_HUGETLB)",
        "syscall(278, os.pipe()[1], ctypes.create_string_buffer(struct.pack('QQ', id(OWN), 64)), 1, 0)",
    ),
    "takes-huge-pages": (
        "mmap.mmap(-1, 1 << 21, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)",
        "mmap.mmap(-1, 1 << 21, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | 0x40000)",
        "syscall(29, 0x5A5A, 1 << 21, 0o5600)",
    ),
    "slows-the-disk": (
        "os.fsync(os.open(OWN, os.O_RDONLY)) or True",
        "os.fdatasync(os.open(OWN, os.O_RDONLY)) or True",
        "syscall(277, os.open(OWN, os.O_RDONLY), 0, 0, 7)",
        "syscall(306, os.open(OWN, os.O_RDONLY))",
        "syscall(162)",
    ),
    "signals-through-files": (
        "fcntl.fcntl(os.open(OWN, os.O_RDONLY), 37, struct.pack('hhqqi', fcntl.F_RDLCK, 0, 0, 0, 0))",
        "fcntl.fcntl(os.open(OWN, os.O_RDONLY), fcntl.F_GETLK, struct.pack('hhqqi', fcntl.F_WRLCK, 0, 0, 0, 0))",
        "fcntl.fcntl(os.open(OWN, os.O_RDONLY), fcntl.F_GETLEASE) or True",
        "fcntl.fcntl(os.open(FOLDER, os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS) or True",
        "checked(libc.inotify_init())",
        "checked(libc.inotify_init1(0))",
        "syscall(300, 0, 0)",
        "reading_shows(OWN)",
        "reading_shows(FOLDER)",
        "reading_shows(FOLDER + '/places.json')",
    ),
    "signals-through-futexes": (
        "syscall(202, ctypes.c_void_p(in_a_library()), 1, 1, 0, 0, 0)",
        "syscall(202, ctypes.c_void_p(in_a_library()), 10, 1, 0, 0, -1)",
        "syscall(202, ctypes.c_void_p(in_a_library()), 3, 1, 1, ctypes.c_void_p(in_a_library() + 4), 0)",
        "syscall(454, ctypes.c_void_p(in_a_library()), -1, 1, 2)",
        "waits(0)",
        "waits(9)",
        "waits(9 | 256)",
    ),
    "counts-what-all-share": (
        "syscall(99, ctypes.create_string_buffer(128))",
        "os.statvfs(OWN)",
        "os.fstatvfs(0)",
        "syscall(206, 1, ctypes.create_string_buffer(bytes(8)))",
        "checked(libc.prctl(67, 1, 0, 0, 0))",
        "checked(libc.prctl(62, 0, 0, 0, 0))",
        "mmap.mmap(-1, 4096, mmap.MAP_PRIVATE).madvise(mmap.MADV_MERGEABLE) or True",
        "resource.prlimit(0, resource.RLIMIT_SIGPENDING, (0, 0))",
        "resource.prlimit(0, resource.RLIMIT_NPROC, (9, 9))",
        "given(libc.timer_create(1, struct.pack('qiii', 0, 34, 0, 0) + bytes(44), ctypes.create_string_buffer(8)))",
        "socket.socketpair()[0].getsockopt(socket.SOL_SOCKET, 57, 8)",
        "socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1) or True",
        "os.sched_getscheduler(1) or True",
        "os.sched_getparam(1)",
        "os.sched_getaffinity(1) and True",
        "os.getpriority(os.PRIO_PROCESS, 1) or True",
        "os.getpgid(1) or True",
        "os.getsid(1) or True",
        "time.clock_gettime(~1 << 3 | 2)",
        "syscall(252, 1, 1)",
    ),
    "looks-for-hidden-state": (
        "known('seeds', 'far')",
        "{type(one).__name__ for one in gc.get_objects()} & {'MatchSpec', 'Referee', 'Work', 'BotProcess', 'Exit'}",
        "set(descriptors()) - {0, 1, 2, 3, 4}",
        "[number for number in descriptors() if fcntl.fcntl(number, fcntl.F_GETFL) & 3 != (number not in (0, 3))]",
        "[key for found in frames() for key in found if key in ('spec', 'referee', 'processes', 'work')]",
    ),
    "uses-arena-itself": (
        "list(__import__('arena.storage.layout', fromlist=['x']).read_records(Path(PLACES['results'])))",
        "__import__('arena.isolation.worker.fork_server', fromlist=['x']).ForkServer(None)",
        "__import__('arena.config.documents.yamlfile', fromlist=['x']) and Path(PLACES['tournament']).read_bytes()",
    ),
}

TRIED_TOGETHER: dict[str, tuple[str, ...]] = {
    "reads-files": ("reads-other-bots", "follows-links", "reads-home", "reads-results", "reads-environment"),
    "reads-the-system": ("reads-system", "reads-processes", "looks-into-the-page-cache", "uses-arena-itself"),
    "writes-files": ("writes", "changes-files", "slows-the-disk", "signals-through-files"),
    "opens-sockets": ("opens-tcp", "opens-udp-and-others", "opens-unix-sockets"),
    "starts-processes": ("runs-programs", "forks", "leaves-its-session", "signals", "traces"),
    "gains-powers-and-memory": ("gains-powers", "raises-its-limits", "hides-memory", "takes-huge-pages"),
    "signals-in-secret": ("signals-through-futexes", "counts-what-all-share"),
    "looks-for-hidden-state": ("looks-for-hidden-state",),  # alone: others leave descriptors open
}
"""The bots of the league, each with the kinds of attempts that it makes one after the other."""


def code(*kinds: str) -> str:
    """The file of a bot that makes all attempts of these kinds."""
    tried = tuple(attempt for kind in kinds for attempt in ATTEMPTS[kind])
    return f"{HEAD}\n\nATTEMPTS = {tried!r}\n{PLAYER}"
