"""A chat endpoint on this machine that does, one after another, what its script says: right answers, and whatever else
endpoints do."""

from __future__ import annotations

import gzip
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Act = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Answers by the server's script; the last act is repeated."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        """Note the request, and act."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.lock:
            self.server.asked.append((self.path, dict(self.headers), json.loads(body)))
            act = self.server.script.pop(0) if len(self.server.script) > 1 else self.server.script[0]
        with suppress(BrokenPipeError, ConnectionResetError):  # it may have hung up
            act(self)

    def log_message(self, *told: object) -> None:
        """Print nothing."""

    def say(self, content: bytes, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        """Send an answer."""
        self.send_response(status)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(content)),
            "Connection": "close",
            **headers,
        }.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)


class Server(ThreadingHTTPServer):
    """The endpoint. ``asked`` has path, headers and body of each request."""

    daemon_threads = True

    def __init__(self, script: list[Act], encrypted: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.encrypted = encrypted
        if encrypted is not None:
            self.socket = encrypted.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.script, self.lock = script, threading.Lock()
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.over = threading.Event()

    @property
    def url(self) -> str:
        """Its base address."""
        scheme = "http" if self.encrypted is None else "https"
        return f"{scheme}://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing of clients that hang up because they do not trust its certificate."""
        if self.encrypted is None:
            super().handle_error(request, client_address)


@contextmanager
def endpoint(*script: Act, encrypted: ssl.SSLContext | None = None) -> Iterator[Server]:
    """The endpoint with this script, over TLS where it is ``encrypted``, until the end of the context."""
    server = Server(list(script), encrypted)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def completion(text: str, finish: str | None = "stop") -> dict[str, Any]:
    """A right answer in one piece."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return {"choices": [choice], "usage": {"prompt_tokens": 11, "completion_tokens": 7}}


def whole(text: str, finish: str | None = "stop") -> Act:
    """Answers in one piece."""
    return lambda handler: handler.say(json.dumps(completion(text, finish)).encode())


def by_schema(text: str, *, native: str | None = None, words: str | None = None, counts: bool = True) -> Act:
    """Answers ``native`` where a schema is asked for natively, ``words`` where it stands in the messages, and ``text``
    where there is none, or these are not given; without a number of tokens unless it ``counts``."""

    def act(handler: Handler) -> None:
        _, _, body = handler.server.asked[-1]
        asked_natively, in_words = "response_format" in body, "JSON Schema" in body["messages"][-1]["content"]
        said = native if asked_natively else words if in_words else None
        answer = completion(text if said is None else said)
        if not counts:
            del answer["usage"]
        handler.say(json.dumps(answer).encode())

    return act


def streamed(*words: str, finish: str | None = "stop", pause: float = 0.0, whole_stream: bool = True) -> Act:
    """Answers word by word, with a ``pause`` in seconds after each."""

    def act(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream; charset=utf-8")
        handler.send_header("Connection", "close")
        handler.end_headers()
        for word in words:
            event = {"choices": [{"delta": {"content": word}, "finish_reason": None}]}
            handler.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            handler.wfile.flush()
            if handler.server.over.wait(pause):
                return
        if whole_stream:
            last = {"choices": [{"delta": {}, "finish_reason": finish}]}
            used = {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": len(words)}}
            handler.wfile.write(f"data: {json.dumps(last)}\n\ndata: {json.dumps(used)}\n\ndata: [DONE]\n\n".encode())

    return act


def status(code: int, words: str = "", **headers: str) -> Act:
    """Answers with an error."""
    return lambda handler: handler.say(json.dumps({"error": {"message": words}}).encode(), code, **headers)


def raw(content: bytes, **headers: str) -> Act:
    """Answers with these bytes."""
    return lambda handler: handler.say(content, **headers)


def bomb(handler: Handler) -> None:
    """Answers with few bytes that unpack to 4 MiB."""
    handler.say(gzip.compress(b" " * (4 << 20), 1), Content_Encoding="gzip")


def hang(handler: Handler) -> None:
    """Answers nothing."""
    handler.close_connection = True
    handler.server.over.wait(30)


def drip(handler: Handler) -> None:
    """Answers a byte now and then, without end."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Connection", "close")
    handler.end_headers()
    while not handler.server.over.is_set():
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.02)


def comments(handler: Handler) -> None:
    """Streams what only keeps the connection open, and never a word."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Connection", "close")
    handler.end_headers()
    while not handler.server.over.wait(0.02):
        handler.wfile.write(b": wait\n\n")
        handler.wfile.flush()


def drip_header(handler: Handler) -> None:
    """Sends the beginning of an answer that has no end, a byte now and then."""
    handler.close_connection = True
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while not handler.server.over.is_set():
        handler.wfile.write(b"x")
        handler.wfile.flush()
        time.sleep(0.02)


def slow(text: str, seconds: float) -> Act:
    """Answers after some seconds."""

    def act(handler: Handler) -> None:
        handler.server.over.wait(seconds)
        whole(text)(handler)

    return act
