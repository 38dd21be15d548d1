"""One attempt at a call of a model, over HTTP, within two deadlines: the gap between two bytes, and the total."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

import msgspec

from arena.consultation.backend import Completion
from arena.consultation.endpoint.chat_wire import (
    NoAnswer,
    StreamedAnswer,
    WireAnswer,
    error_words,
    read_whole,
    request_body,
)
from arena.consultation.model_spec import LARGEST_ANSWER, ModelSpec
from arena.errors import cut_text, one_line_message
from arena.games.consultation import Consult

if TYPE_CHECKING:
    import httpx2

RETRIED_STATUSES = (408, 409, 425, 429)
OVERLOADED_STATUSES = (429, 503, 529)
LARGEST_ERROR = 64 << 10
REASON_LENGTH = 200


class FailedAttempt(Exception):
    """An attempt has failed. ``str()`` says how, without key or address; ``lasting``: another would fail too;
    ``overloaded``: the endpoint has too much to do; ``wait``: the seconds after which it wants to be asked again."""

    def __init__(self, reason: str, *, lasting: bool = False, overloaded: bool = False, wait: float = 0.0) -> None:
        self.lasting, self.overloaded, self.wait = lasting, overloaded, wait
        super().__init__(reason)


class Attempt(msgspec.Struct, frozen=True):
    """What is sent: by which ``client``, to which ``model``, with which ``key`` ("": none)."""

    client: httpx2.Client
    model: ModelSpec
    key: str

    def __repr__(self) -> str:
        return f"Attempt({self.model.model!r})"  # without the key

    def send(self, consult: Consult) -> Completion:
        """Ask, and read the answer. Raises FailedAttempt."""
        import httpx2

        model, began = self.model, monotonic()
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        timeout = httpx2.Timeout(min(model.gap, model.total))
        url = f"{model.url.rstrip('/')}/chat/completions"
        try:
            with self.client.stream(
                "POST", url, content=request_body(model, consult), headers=headers, timeout=timeout
            ) as response:
                self._check_status(response)
                streamed = response.headers.get("content-type", "").startswith("text/event-stream")
                answer = self._read_stream(response, began) if streamed else read_whole(self._read(response, began))
        except httpx2.TimeoutException:
            raise FailedAttempt(f"no byte in {min(model.gap, model.total):g} s", overloaded=True) from None
        except httpx2.HTTPError as problem:
            raise FailedAttempt(self._plain(f"{type(problem).__name__}: {problem}")) from None
        except (httpx2.InvalidURL, UnicodeError) as problem:
            raise FailedAttempt(self._plain(f"{type(problem).__name__}: {problem}"), lasting=True) from None
        except NoAnswer as problem:
            raise FailedAttempt(self._plain(str(problem))) from None
        return Completion(answer.text, answer.finish, answer.tokens, round(monotonic() - began, 3))

    def _check_status(self, response: httpx2.Response) -> None:
        """Raise FailedAttempt for an answer that is no success."""
        status = response.status_code
        if status == 200:
            return
        said = b""
        for part in response.iter_bytes(LARGEST_ERROR):
            said += part
            if len(said) >= LARGEST_ERROR:
                break
        words = self._plain(error_words(said[:LARGEST_ERROR]))
        reason = f"HTTP {status}" + (f": {words}" if words else "")
        if status in RETRIED_STATUSES or status >= 500:
            wait = _seconds_in(response.headers.get("retry-after", ""))
            raise FailedAttempt(reason, overloaded=status in OVERLOADED_STATUSES, wait=wait)
        raise FailedAttempt(reason, lasting=True)

    def _read(self, response: httpx2.Response, began: float) -> bytes:
        content = b""
        for part in response.iter_bytes():
            content += part
            self._check_bounds(len(content), began)
        return content

    def _read_stream(self, response: httpx2.Response, began: float) -> WireAnswer:
        answer, size = StreamedAnswer(), 0
        for part in response.iter_bytes():
            size += len(part)
            self._check_bounds(size, began)
            if answer.feed(part):
                break
        return answer.end()

    def _check_bounds(self, size: int, began: float) -> None:
        if size > LARGEST_ANSWER:
            raise FailedAttempt(f"an answer of more than {LARGEST_ANSWER >> 20} MiB")
        if monotonic() - began > self.model.total:
            raise FailedAttempt(f"no whole answer in {self.model.total:g} s", overloaded=True)

    def _plain(self, text: str) -> str:
        """Words of an endpoint or of a library, in one line, without the key and the address."""
        for secret in filter(None, (self.key, self.model.url, self.model.url.partition("://")[2])):
            text = text.replace(secret, "…")
        return cut_text(one_line_message(text), REASON_LENGTH)


def _seconds_in(text: str) -> float:
    """The seconds in a header ``Retry-After``; 0 where it has none. A date is not read."""
    try:
        return max(0.0, float(text))
    except ValueError:
        return 0.0
