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

from arena.consultation.backend import Completion, ReachProblem
from arena.consultation.endpoint.bounded_network import CONNECT_SECONDS
from arena.consultation.endpoint.chat_wire import (
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
PROBLEM_OF_STATUS = {
    401: ReachProblem.KEY_REFUSED,
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
    to be asked again; ``begun``: the endpoint had begun to answer."""

    def __init__(
        self,
        reason: str,
        problem: ReachProblem,
        *,
        lasting: bool = False,
        overloaded: bool = False,
        wait: float = 0.0,
    ) -> None:
        self.problem, self.lasting, self.overloaded, self.wait = problem, lasting, overloaded, wait
        self.begun = False
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
            return self._exchange(consult, begun)
        except FailedAttempt as failed:
            failed.begun = begun.is_set()
            raise

    def _exchange(self, consult: Consult, begun: Event) -> Completion:
        """Ask, and read the answer; ``begun`` is set once there is a part of one. Raises FailedAttempt."""
        model, began = self.model, monotonic()
        gap = min(model.gap, model.total)
        url = f"{model.url.rstrip('/')}/chat/completions"
        try:
            body = request_body(model, consult)
            with (
                self.pools.network.deadline(began + model.total),
                self.pools.open_response(url, self._headers(), body, gap) as response,
            ):
                self._check_status(response)
                answer, ended = self._read_answer(response, begun)
        except httpcore2.ConnectTimeout:
            told = f"no connection in {min(gap, CONNECT_SECONDS):g} s"
            raise FailedAttempt(told, ReachProblem.NO_CONNECTION, overloaded=True) from None
        except httpcore2.TimeoutException:
            over = monotonic() - began >= model.total
            told = f"no whole answer in {model.total:g} s" if over else f"no byte in {gap:g} s"
            raise FailedAttempt(told, ReachProblem.SILENT, overloaded=True) from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.ProxyError) as problem:
            told = self._plain(f"{type(problem).__name__}: {problem}")
            if _is_of_certificate(problem):  # it will not be right in a minute
                raise FailedAttempt(told, ReachProblem.CERTIFICATE, lasting=True) from None
            raise FailedAttempt(told, ReachProblem.NO_CONNECTION) from None
        except (httpcore2.UnsupportedProtocol, UnicodeError) as problem:
            told = self._plain(f"{type(problem).__name__}: {problem}")
            raise FailedAttempt(told, ReachProblem.REFUSED, lasting=True) from None
        except NoAnswer as problem:
            raise FailedAttempt(self._plain(str(problem)), ReachProblem.NO_COMPLETION) from None
        if len(self.key) >= LEAST_SECRET and self.key in answer.text:
            told = "the model's answer repeats the key: it is not kept"
            raise FailedAttempt(told, ReachProblem.NO_COMPLETION, lasting=True)
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

    def _check_status(self, response: httpcore2.Response) -> None:
        """Raise FailedAttempt for an answer that is no success."""
        status = response.status
        if status == 200:
            return
        said = bytearray()
        with suppress(httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError, NoAnswer):
            for part in _read_bounded(response, LARGEST_ERROR):
                said += part
        words = self._plain(error_words(bytes(said)))
        reason = f"HTTP {status}" + (f": {words}" if words else "")
        if status in RETRIED_STATUSES or status >= 500:
            problem = PROBLEM_OF_STATUS.get(status, ReachProblem.NO_COMPLETION)
            wait = _seconds_in(_header_of(response, b"retry-after"))
            raise FailedAttempt(reason, problem, overloaded=status in OVERLOADED_STATUSES, wait=wait)
        raise FailedAttempt(reason, PROBLEM_OF_STATUS.get(status, ReachProblem.REFUSED), lasting=True)

    def _read_answer(self, response: httpcore2.Response, begun: Event) -> tuple[WireAnswer, float]:
        """The answer, in one piece or as a stream, and when it was whole; ``begun`` is set once a part of a stream is
        there. Raises NoAnswer."""
        if _header_of(response, b"content-encoding") not in ("", "identity"):
            raise NoAnswer("the answer is compressed, although arena did not ask for that")
        parts = _read_bounded(response, LARGEST_ANSWER)
        if not _header_of(response, b"content-type").startswith("text/event-stream"):
            return read_whole(b"".join(parts)), monotonic()
        answer = StreamedAnswer()
        for part in parts:
            begun.set()
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


def _is_of_certificate(problem: Exception) -> bool:
    """Whether an error of a connection comes of a certificate; the pool raises it anew, without its cause."""
    told = (problem.__cause__, problem.__context__, *problem.args)
    return any(isinstance(each, ssl.SSLCertVerificationError) for each in told)


def _read_bounded(response: httpcore2.Response, most: int) -> Iterator[bytes]:
    """The bytes of an answer as they come. Raises NoAnswer where there are more than ``most``."""
    size = 0
    for part in response.iter_stream():
        size += len(part)
        if size > most:
            raise NoAnswer(f"an answer of more than {most >> 10} KiB")
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
