"""One attempt at a call of a model, over HTTP, within two deadlines: the gap between two bytes, and the total."""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from email.utils import parsedate_to_datetime
from threading import Event
from time import monotonic
from urllib.parse import urlsplit

import httpcore2
import msgspec

from arena.consultation.backend import CUT_OFF_FINISH, Completion, ReachProblem
from arena.consultation.endpoint.bounded_network import CONNECT_SECONDS
from arena.consultation.endpoint.chat_wire import (
    SLOWEST_WRITING,
    USUAL_WRITING,
    AnswerTooLong,
    NoAnswer,
    StreamedAnswer,
    WireAnswer,
    error_words,
    read_whole,
    request_body,
)
from arena.consultation.endpoint.connection_pools import ConnectionPools
from arena.consultation.model_spec import LARGEST_ANSWER, ModelSpec
from arena.consulting.consultation import Consult
from arena.errors import cut_text, one_line_message

RETRIED_STATUSES = (408, 409, 425, 429)
OVERLOADED_STATUSES = (429, 503, 529)
LATE_STATUSES = (408, 504, 524)
"""Statuses of a proxy whose server has not answered in time: the server may have been at work."""
REFUSED_STATUSES = (400, 413, 414, 422)
"""Statuses of an endpoint that blames the request. All other errors are nobody's fault."""
MODERATION_WORDS = ("flagged", "moderation")
"""Words in the answers of providers that refuse the content of a request with status 403."""
PROBLEM_OF_STATUS = {
    **dict.fromkeys(REFUSED_STATUSES, ReachProblem.REFUSED),
    401: ReachProblem.KEY_REFUSED,
    402: ReachProblem.UNPAID,
    403: ReachProblem.KEY_REFUSED,
    404: ReachProblem.NOT_FOUND,
    408: ReachProblem.SILENT,
    429: ReachProblem.OVERLOADED,
    503: ReachProblem.OVERLOADED,
    529: ReachProblem.OVERLOADED,
}
LARGEST_ERROR = 64 << 10
REASON_LENGTH = 200
END_SECONDS = 0.1
"""How long the end of a response is awaited once the answer in it is whole."""
LEAST_SECRET = 16
"""The shortest key that is taken for a secret where a model repeats it; "EMPTY" and the like are none."""


class FailedAttempt(Exception):
    """An attempt has failed. ``str()`` says how, without key or address; ``problem`` is of which kind; ``lasting``:
    another would fail too; ``overloaded``: the endpoint has too much to do; ``wait``: the seconds after which it wants
    to be asked again; ``begun``: the endpoint may have been at work on an answer, which costs as much as a whole one;
    ``cut_off``: what was there of an answer that was still being written, or that is too long."""

    def __init__(
        self,
        reason: str,
        problem: ReachProblem,
        *,
        lasting: bool = False,
        overloaded: bool = False,
        wait: float = 0.0,
        cut_off: Completion | None = None,
    ) -> None:
        self.problem, self.lasting, self.overloaded, self.wait = problem, lasting, overloaded, wait
        self.begun, self.cut_off = False, cut_off
        super().__init__(reason)


class ChatAttempt(msgspec.Struct, frozen=True):
    """What is sent: over which ``pools``, to which ``model``, with which ``key`` ("": none)."""

    pools: ConnectionPools
    model: ModelSpec
    key: str

    def __repr__(self) -> str:
        return f"ChatAttempt({self.model.model!r})"  # without the key

    def send(self, consult: Consult) -> Completion:
        """Ask, and read the answer. Raises FailedAttempt."""
        begun = Event()
        try:
            answer = self._exchange(consult, begun)
            self._check_key(answer)
            return answer
        except FailedAttempt as failed:
            failed.begun = begun.is_set()
            if failed.cut_off is not None:
                self._check_key(failed.cut_off)
            raise

    def _check_key(self, answer: Completion) -> None:
        """Raise FailedAttempt for an answer that repeats the key."""
        if len(self.key) >= LEAST_SECRET and self.key in answer.text:
            told = "the model's answer repeats the key: it is not kept"
            raise FailedAttempt(told, ReachProblem.NO_COMPLETION, lasting=True)

    def _exchange(self, consult: Consult, begun: Event) -> Completion:
        """Ask, and read the answer; ``begun`` is set while the endpoint may be at work on one. Raises FailedAttempt."""
        model, began, stream = self.model, monotonic(), StreamedAnswer()
        gap = min(model.gap, model.total)
        url = f"{model.url.rstrip('/')}/chat/completions"
        try:
            body = request_body(model, consult)
            with (
                self.pools.network.deadline(began + model.total),
                self.pools.open_response(url, self._headers(), body, gap, begun) as response,
            ):
                if response.status != 200:
                    if response.status not in LATE_STATUSES:
                        begun.clear()
                    raise self._refusal_in(response)
                answer, ended = self._read_answer(response, stream)
        except httpcore2.ConnectTimeout:
            begun.clear()  # of a proxy, which was sent a request of its own
            told = f"no connection in {min(gap, CONNECT_SECONDS):g} s"
            raise FailedAttempt(told, ReachProblem.NO_CONNECTION, overloaded=True) from None
        except httpcore2.TimeoutException:
            over = monotonic() - began >= model.total
            told = f"no whole answer in {model.total:g} s" if over else f"no byte in {gap:g} s"
            speed = stream.speed(began, gap) if over else 0.0
            cut_off = _cut_off(stream, began) if speed >= SLOWEST_WRITING else None
            endless = speed >= USUAL_WRITING  # more time would not help, nor fewer calls at once
            raise FailedAttempt(
                told, ReachProblem.SILENT, lasting=endless, overloaded=not endless, cut_off=cut_off
            ) from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.ProxyError) as problem:
            told = self._plain(f"{type(problem).__name__}: {problem}")
            if isinstance(problem, httpcore2.ConnectError | httpcore2.ProxyError):
                begun.clear()
            if _is_of_certificate(problem):  # it will not be right in a minute
                raise FailedAttempt(told, ReachProblem.CERTIFICATE, lasting=True) from None
            raise FailedAttempt(told, ReachProblem.NO_CONNECTION) from None
        except (httpcore2.UnsupportedProtocol, UnicodeError) as problem:
            told = self._plain(f"{type(problem).__name__}: {problem}")
            raise FailedAttempt(told, ReachProblem.REFUSED, lasting=True) from None
        except AnswerTooLong as problem:
            cut_off = _cut_off(stream, began) if stream.speed(began, gap) >= SLOWEST_WRITING else None
            lasting = cut_off is not None
            raise FailedAttempt(str(problem), ReachProblem.NO_COMPLETION, lasting=lasting, cut_off=cut_off) from None
        except NoAnswer as problem:
            raise FailedAttempt(self._plain(str(problem)), ReachProblem.NO_COMPLETION) from None
        return Completion(answer.text, answer.finish, answer.tokens, round(ended - began, 3))

    def _headers(self) -> list[tuple[bytes, bytes]]:
        headers = [
            (b"Content-Type", b"application/json"),
            (b"Accept", b"application/json, text/event-stream"),
            (b"Accept-Encoding", b"identity"),
            (b"User-Agent", b"arena"),
        ]
        if self.key:
            headers.append((b"Authorization", b"Bearer " + self.key.encode()))
        return headers

    def _refusal_in(self, response: httpcore2.Response) -> FailedAttempt:
        """The failure that an answer reports whose status is not 200."""
        status, said = response.status, bytearray()
        with suppress(httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError, NoAnswer):
            for part in _read_bounded(response, LARGEST_ERROR):
                said += part
        words = self._plain(error_words(bytes(said)))
        reason = f"HTTP {status}" + (f": {words}" if words else "")
        if status in RETRIED_STATUSES or status >= 500:
            problem = PROBLEM_OF_STATUS.get(status, ReachProblem.NO_COMPLETION)
            wait = _seconds_in(_header_of(response, b"retry-after"))
            return FailedAttempt(reason, problem, overloaded=status in OVERLOADED_STATUSES, wait=wait)
        problem = PROBLEM_OF_STATUS.get(status, ReachProblem.NO_COMPLETION)
        if status == 403 and any(word in words.lower() for word in MODERATION_WORDS):
            problem = ReachProblem.REFUSED
        return FailedAttempt(reason, problem, lasting=True)

    def _read_answer(self, response: httpcore2.Response, answer: StreamedAnswer) -> tuple[WireAnswer, float]:
        """The answer, in one piece or as a stream, of which ``answer`` keeps what has come, and when it was whole.
        Raises NoAnswer."""
        if _header_of(response, b"content-encoding") not in ("", "identity"):
            raise NoAnswer("the answer is compressed, although arena did not ask for that")
        parts = _read_bounded(response, LARGEST_ANSWER)
        if not _header_of(response, b"content-type").startswith("text/event-stream"):
            return read_whole(b"".join(parts)), monotonic()
        for part in parts:
            if answer.feed(part):
                break
        whole, ended = answer.end(), monotonic()
        with (
            suppress(httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError, NoAnswer),
            self.pools.network.deadline(ended + END_SECONDS),
        ):
            for _ in parts:  # the end of the response: without it the connection could not be used again
                pass
        return whole, ended

    def _plain(self, text: str) -> str:
        """Words of an endpoint or of a library, in one line, without the key and the address."""
        address = self.model.url.partition("://")[2]
        for secret in filter(None, (self.key, self.model.url, address, address.partition("/")[0])):
            text = text.replace(secret, "…")
        if host := urlsplit(self.model.url).hostname:  # alone, as in what is said of certificates
            text = re.sub(rf"(?<![\w.-]){re.escape(host)}(?![\w-])", "…", text, flags=re.IGNORECASE)
        return cut_text(one_line_message(text), REASON_LENGTH)


def _cut_off(stream: StreamedAnswer, began: float) -> Completion:
    """The part of the answer that has arrived; ``began`` is when its call started, by the monotonic clock."""
    return Completion(stream.text, CUT_OFF_FINISH, (0, 0), round(monotonic() - began, 3))


def _is_of_certificate(problem: Exception) -> bool:
    """Whether an error of a connection comes of a certificate; the pool raises it anew, without its cause."""
    told = (problem.__cause__, problem.__context__, *problem.args)
    return any(isinstance(each, ssl.SSLCertVerificationError) for each in told)


def _read_bounded(response: httpcore2.Response, most: int) -> Iterator[bytes]:
    """Yield the bytes of an answer as they arrive. Raises NoAnswer if there are more than ``most``."""
    size = 0
    for part in response.iter_stream():
        size += len(part)
        if size > most:
            raise AnswerTooLong(f"an answer of more than {most >> 10} KiB")
        yield part


def _header_of(response: httpcore2.Response, name: bytes) -> str:
    """A header in lower case; empty where there is none."""
    found = next((value for key, value in response.headers if key.lower() == name), b"")
    return found.decode("latin-1").strip().lower()


def _seconds_in(text: str) -> float:
    """The seconds in a header ``Retry-After``, which has a number or a date; 0 where it has neither."""
    with suppress(ValueError):
        return max(0.0, float(text))
    with suppress(ValueError, OverflowError, OSError):
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    return 0.0
