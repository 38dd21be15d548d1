"""Hostile programs: one in C, which takes as an argument what it is to do, and one for node."""

from __future__ import annotations

C = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char told[900];
static int tries;

static void tell(const char *what, int reached) {
    tries++;
    if (reached || (errno != EPERM && errno != EACCES && errno != ENOSYS && errno != EROFS && errno != ENOENT)) {
        size_t used = strlen(told);
        snprintf(told + used, sizeof told - used, "%s: %s; ", what, reached ? "reached" : strerror(errno));
    }
}

static int opened(const char *path, int flags) { return open(path, flags, 0600) >= 0; }

static void attempt(char *places) {
    for (char *place = strtok(places, ":"); place; place = strtok(0, ":")) {
        tell(place, opened(place, O_RDONLY));
        tell(place, opened(place, O_WRONLY));
        tell(place, opened(place, 3));
    }
    tell("create", opened("new.txt", O_CREAT | O_WRONLY));
    tell("tmp", opened("/tmp/arena-was-here", O_CREAT | O_WRONLY));
    tell("tcp", socket(AF_INET, SOCK_STREAM, 0) >= 0);
    tell("udp", socket(AF_INET6, SOCK_DGRAM, 0) >= 0);
    tell("unix", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    tell("vfork", vfork() >= 0);
    tell("parent", kill(getppid(), 0) == 0);
    tell("everybody", kill(-1, 0) == 0);
    tell("trace", ptrace(PTRACE_SEIZE, getppid(), 0, 0) == 0);
    tell("session", setsid() >= 0);
    tell("proc", opened("/proc/self/mem", O_RDWR));
    tell("passwd", opened("/etc/passwd", O_RDONLY));
    if (getenv("ARENA_SECRET")) strcat(told, "environment; ");
}

static void bomb(void) {
    int children = 0;
    for (int i = 0; i < 200; i++) {
        int child = fork();
        if (child == 0) for (;;) fork();
        children += child > 0;
    }
    tries = 200;
    if (children) sprintf(told, "%d children", children);
}

static void *idle(void *_) { sleep(60); return _; }

static void threads(void) {
    pthread_attr_t small;
    pthread_t one;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (tries = 0; tries < 9999 && pthread_create(&one, &small, idle, 0) == 0;) tries++;
    if (tries > 32) sprintf(told, "%d threads", tries);
}

static void hold(int flags) {
    for (;;) {
        char *more = mmap(0, 1 << 24, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
        if (more == MAP_FAILED) abort();
        memset(more, 1, 1 << 24);
    }
}

int main(int count, char **words) {
    static char line[1 << 20];
    const char *what = words[1];
    int done = 0;
    printf("{\"type\":\"hello\",\"protocol\":2,\"games\":[\"board\"],\"hooks\":[\"turn\"]}\n{\"type\":\"reply\",\"id\":0}\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        if (!strstr(line, "\"type\":\"ask\"") || !id) continue;
        int number = atoi(id + 5);
        if (!done++) {
            if (!strcmp(what, "attempts")) attempt(words[2]);
            if (!strcmp(what, "bomb")) bomb();
            if (!strcmp(what, "threads")) threads();
            if (!strcmp(what, "memory")) hold(MAP_PRIVATE);
            if (!strcmp(what, "shared-memory")) hold(MAP_SHARED);
            if (!strcmp(what, "becomes")) execl("/bin/cat", "cat", strtok(words[2], ":"), (char *)0);
            if (!strcmp(what, "crashes")) *(volatile int *)0 = 0;
            if (!strcmp(what, "hangs")) sleep(60);
            if (!strcmp(what, "endless")) for (;;) putchar('x');
            snprintf(told + strlen(told), 99, "%d tried", tries);
        }
        if (!strcmp(what, "lies")) number += 7;
        printf("{\"type\":\"reply\",\"id\":%d,\"move\":{\"move\":\"%s\"},\"note\":\"%s\"}\n", number,
               strstr(line, "\"rolled\":true") ? "draw" : "roll", done == 1 ? told : "");
        fflush(stdout);
        if (!strcmp(what, "loops") && strstr(line, "\"rolled\":true")) for (;;) ;
    }
    return 0;
}
"""

C_WAYS: dict[str, tuple[str, ...]] = {
    "attempts": (),
    "bomb": (),
    "threads": ("refused",),
    "memory": ("dead", "refused", "late"),
    "shared-memory": ("dead", "refused", "late"),
    "becomes": ("dead",),
    "crashes": ("dead",),
    "hangs": ("late",),
    "endless": ("garbled",),
    "lies": ("garbled",),
}
"""What the program in C is told to do in the league, and the faults of its seat that may end in."""

NODE = r"""
const fs = require('fs'), net = require('net'), child = require('child_process'), places = process.argv[2].split(':')
const say = (message) => fs.writeSync(1, JSON.stringify(message) + '\n')
const refused = ['EPERM', 'EACCES', 'ENOSYS', 'EROFS', 'ENOENT']
let told = null

function tried() {
  const attempts = [
    ...places.map((path) => () => fs.readFileSync(path)),
    ...places.map((path) => () => fs.writeFileSync(path, 'x')),
    () => fs.readdirSync('/proc'), () => fs.readFileSync('/proc/self/environ'), () => fs.readFileSync('/etc/passwd'),
    () => fs.writeFileSync('/tmp/arena-was-here', 'x'), () => fs.mkdirSync('new'),
    () => process.kill(process.ppid, 0), () => { const ran = child.spawnSync('true'); if (ran.error) throw ran.error },
  ]
  const found = []
  for (const attempt of attempts) {
    try { attempt(); found.push(`${attempt}: reached`) } catch (problem) {
      if (!refused.includes(problem.code)) found.push(`${attempt}: ${problem}`)
    }
  }
  if (process.env.ARENA_SECRET) found.push('environment')
  return found.join('; ').slice(0, 900) || `${attempts.length} tried`
}

say({ type: 'hello', protocol: 2, games: ['board'], hooks: ['turn'] })
let part = ''
process.stdin.on('data', (data) => {
  const lines = (part + data).split('\n')
  part = lines.pop()
  for (const line of lines) {
    const message = JSON.parse(line)
    if (message.type === 'start') say({ type: 'reply', id: 0 })
    if (message.type === 'bye') process.exit(0)
    if (message.type !== 'ask') continue
    const note = told === null ? (told = tried()) : ''
    say({ type: 'reply', id: message.id, move: { move: message.view.rolled ? 'draw' : 'roll' }, note })
  }
})
"""
