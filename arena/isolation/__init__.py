"""Bots in processes of their own, locked in before anything of theirs is loaded.

Four kinds of process take part. Each file of this package runs in one kind only, and its folder says in which::

    the run's parent            arena/executors: hands out matches, ends workers
      │ forks
      ▼
    worker                      isolation/worker/, with the referee: one for every job of the run
      │ starts an interpreter   (inside of bubblewrap, where the system has it)
      ▼
    fork server                 isolation/server/: one for each worker and policy
      │ forks
      ▼
    bot's process               isolation/bot/: one for each seat of each match

    isolation/wire/             what is said between them: both ends import it, it imports neither

Who does what to whom:

==============  ==========================  ==========================  =======================
process         is started by               is told its work by         is killed and reaped by
==============  ==========================  ==========================  =======================
worker          the parent (fork)           the parent (queue)          the parent
fork server     its worker (a new program)  its worker (socket)         its worker
bot's process   its fork server (fork)      the worker (its own pipe)   its fork server
==============  ==========================  ==========================  =======================

A bot's process is killed at the word of the worker, which measures its time; the fork server kills it unasked only
when it holds more memory or threads than it may. Each process ends by itself when the one above it is gone: the kernel
sends it SIGKILL (``PR_SET_PDEATHSIG``), and a fork server also sees its socket close.

What each knows:

- The *worker* knows the whole match: seed, hidden state, all bots, the results of the run. It executes nothing of a
  bot, and believes nothing that a bot sends.
- The *fork server* knows the policy, the rules that will be played, and the bundled bots, which everybody can read. It
  must not know a seed, a result, or any other bot, because its children have all of its memory. It executes nothing of
  a bot that is not bundled.
- A *bot's process* knows what its fork server knows, its own bot, its seat's start and its seat's views. Which bot it
  is to become it reads from its own pipe, past the fork server (:class:`arena.isolation.wire.requests.BotRequest`);
  then it locks itself in (:mod:`arena.sandbox.lock`), and only then loads the bot.
"""
