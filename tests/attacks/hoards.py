"""Ways to hold memory where a limit does not look: a program in C that tries one of them, or several one after the
other, as a bot or in a build, and tells of each how many MB it held or what prevented it."""

from __future__ import annotations

WANTED = 320
"""MB that it tries to hold."""

C = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define MB (1L << 20)
#define PIECE (32 * MB)
#define WANTED 320

static char told[600];

static void tell(const char *words) { strncat(told, words, sizeof told - strlen(told) - 1); }

static int refused(const char *what) {
    tell(what), tell(": "), tell(strerror(errno)), tell("; ");
    return 0;
}

/* one page of it stays mapped, and with it all that was written */
static int all_but_a_page(char *piece) { return munmap(piece, PIECE - 4096) == 0 || refused("munmap"); }

static int shared(int flags, int file) {
    char *piece = mmap(0, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | flags, file, 0);
    if (piece == MAP_FAILED) return refused("mmap");
    memset(piece, 1, PIECE);
    return all_but_a_page(piece);
}

static int of_a_device(void) {
    int zero = open("/dev/zero", O_RDWR), done = zero < 0 ? refused("/dev/zero") : shared(0, zero);
    close(zero);
    return done;
}

static int memory_file(void) {
    static char block[1 << 16] = {1};
    int file = memfd_create("hoard", 0);
    if (file < 0) return refused("memfd_create");
    for (long at = 0; at < PIECE; at += sizeof block)
        if (write(file, block, sizeof block) < 0) return refused("write");
    return 1;
}

static int by_key(void) {
    int id = shmget(IPC_PRIVATE, PIECE, 0600 | IPC_CREAT);
    char *piece = id < 0 ? (char *)-1 : shmat(id, 0, 0);
    if (piece == (char *)-1) return refused("shmget");
    shmctl(id, IPC_RMID, 0);
    memset(piece, 1, PIECE);
    return all_but_a_page(piece);
}

static int huge(void) {
    char *piece = mmap(0, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
    if (piece == MAP_FAILED) return refused("mmap");
    memset(piece, 1, PIECE);
    return 1;
}

/* a page in a pipe keeps the large page that it is part of */
static int in_a_pipe(void) {
    for (int i = 0; i < PIECE / (2 * MB); i++) {
        static int ends[2], used = 16;
        char *piece = mmap(0, 4 * MB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (piece == MAP_FAILED) return refused("mmap");
        char *large = (char *)(((long)piece + 2 * MB - 1) & -2 * MB);
        struct iovec page = {large, 4096};
        madvise(large, 2 * MB, MADV_HUGEPAGE);
        memset(large, 1, 2 * MB);
        if (used++ == 16 && pipe(ends)) return refused("pipe");
        if (used > 16) used = 1;
        if (vmsplice(ends[1], &page, 1, 0) < 0) return refused("vmsplice");
        munmap(piece, 4 * MB);
    }
    return 1;
}

/* reading a page takes none, but the table in which it stands takes one */
static int tables(void) {
    volatile char *piece = mmap(0, PIECE * 512, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char seen = 0;
    if (piece == MAP_FAILED) return refused("mmap");
    for (long at = 0; at < PIECE * 512; at += 2 * MB) seen += piece[at];
    return 1;
}

/* what cannot be written to any more is not counted as data */
static int read_only(void) {
    char *piece = mmap(0, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) return refused("mmap");
    memset(piece, 1, PIECE);
    return mprotect(piece, PIECE, PROT_READ) == 0 || refused("mprotect");
}

static int sockets(void) {
    static char block[1 << 14];
    for (long held = 0; held < PIECE;) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return refused("socketpair");
        for (int end = 0; end < 2; end++) {
            fcntl(ends[end], F_SETFL, O_NONBLOCK);
            for (long sent; (sent = write(ends[end], block, sizeof block)) > 0;) held += sent;
        }
    }
    return 1;
}

static int pipes(void) {
    static char block[1 << 16];
    for (long held = 0; held < PIECE;) {
        int ends[2];
        if (pipe(ends)) return refused("pipe");
        if (fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0) return refused("fcntl");
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
        for (long sent; (sent = write(ends[1], block, sizeof block)) > 0;) held += sent;
    }
    return 1;
}

static int nameless_file(void) {
    static char block[1 << 16] = {1};
    int file = open("scrap", O_CREAT | O_RDWR, 0600);
    if (file < 0 || unlink("scrap")) return refused("open");
    for (long at = 0; at < PIECE; at += sizeof block)
        if (write(file, block, sizeof block) < 0) return refused("write");
    return 1;
}

static int piece(const char *way) {
    if (!strcmp(way, "shared")) return shared(MAP_ANONYMOUS, -1);
    if (!strcmp(way, "device")) return of_a_device();
    if (!strcmp(way, "memory-file")) return memory_file();
    if (!strcmp(way, "key")) return by_key();
    if (!strcmp(way, "huge")) return huge();
    if (!strcmp(way, "pipe")) return in_a_pipe();
    if (!strcmp(way, "tables")) return tables();
    if (!strcmp(way, "read-only")) return read_only();
    if (!strcmp(way, "sockets")) return sockets();
    if (!strcmp(way, "pipes")) return pipes();
    if (!strcmp(way, "nameless-file")) return nameless_file();
    return refused("no such way");
}

static void hoard(char *ways) {
    for (char *way = strtok(ways, "+"); way; way = strtok(0, "+")) {
        char size[40];
        long held = 0;
        while (held < WANTED && piece(way)) held += PIECE / MB;
        if (held >= WANTED) usleep(400000); /* until somebody looks */
        snprintf(size, sizeof size, "held %ld MB. ", held);
        tell(size);
    }
}

int main(int count, char **words) {
    static char line[1 << 20];
    if (count == 2) {
        hoard(words[1]);
        puts(told);
        return 0;
    }
    printf("{\"type\":\"hello\",\"protocol\":2,\"games\":[\"board\"],\"hooks\":[\"turn\"]}\n{\"type\":\"reply\",\"id\":0}\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        if (!strstr(line, "\"type\":\"ask\"") || !id) continue;
        int first = !*told;
        if (first) hoard(words[1]);
        printf("{\"type\":\"reply\",\"id\":%d,\"move\":{\"move\":\"%s\"},\"note\":\"%s\"}\n", atoi(id + 5),
               strstr(line, "\"rolled\":true") ? "draw" : "roll", first ? told : "");
        fflush(stdout);
    }
    return 0;
}
"""

REFUSED = ("shared", "device", "memory-file", "key", "huge", "pipe")
"""Ways that the filter of system calls refuses, or that lack what they need."""
SEEN = ("tables", "read-only")
"""Ways that no filter can refuse: whoever counts must see them."""
