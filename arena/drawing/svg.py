"""Writes SVG: shapes and escaped texts. It writes no scripts and no links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape

from arena.drawing.measure import NO_BREAK
from arena.printable import printable_text

Point = tuple[float, float]


def pixel_text(value: float) -> str:
    """A coordinate in pixels as text, rounded to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def quote_attribute(text: str) -> str:
    """The value of an attribute, escaped and in quotation marks."""
    return f'"{escape(text)}"'


def escape_content(text: str) -> str:
    """The text escaped, to stand between two tags."""
    return escape(printable_text(text.replace(NO_BREAK, " ")), quote=False)


class Svg:
    """Collects the elements of one picture in the order in which they are painted. ``style`` is the name of a class in
    the style sheet; all lengths are in pixels."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def _add(self, name: str, style: str, inner: str | None = None, **fields: float | str) -> None:
        said = "".join(
            f" {key.replace('_', '-')}={quote_attribute(value if isinstance(value, str) else pixel_text(value))}"
            for key, value in {"class": style, **fields}.items()
            if value != ""
        )
        self.parts.append(f"<{name}{said}/>" if inner is None else f"<{name}{said}>{inner}</{name}>")

    def rect(self, x: float, y: float, width: float, height: float, style: str, rx: float | str = "") -> None:
        """A rectangle with corners rounded by ``rx``."""
        self._add("rect", style, x=x, y=y, width=width, height=height, rx=rx)

    def line(self, x1: float, y1: float, x2: float, y2: float, style: str) -> None:
        """A straight line."""
        self._add("line", style, x1=x1, y1=y1, x2=x2, y2=y2)

    def polygon(self, points: Sequence[Point], style: str) -> None:
        """A filled shape with straight sides."""
        self._add("polygon", style, points=" ".join(f"{pixel_text(x)},{pixel_text(y)}" for x, y in points))

    def polyline(self, points: Sequence[Point], style: str) -> None:
        """A line through points."""
        self._add("polyline", style, points=" ".join(f"{pixel_text(x)},{pixel_text(y)}" for x, y in points))

    def text(self, x: float, y: float, text: str, style: str = "") -> None:
        """One line of text centred at ``x``, or beginning there if ``style`` contains ``left``; ``y`` is its
        baseline."""
        self._add("text", style, escape_content(text), x=x, y=y)

    def use(self, name: str, x: float, y: float) -> None:
        """Paint what was defined by :meth:`symbol` with this name, its upper left corner at ``x``, ``y``."""
        self._add("use", "", href=f"#{name}", x=x, y=y)

    @contextmanager
    def symbol(self, name: str) -> Iterator[None]:
        """What is drawn inside the block is not painted here, but wherever :meth:`use` names it."""
        with self._inside(f"<defs><g id={quote_attribute(name)}>", "</g></defs>"):
            yield

    @contextmanager
    def group(self, style: str = "", hint: str = "") -> Iterator[None]:
        """What is drawn inside the block forms a group; ``hint`` is its tooltip, which screen readers read aloud."""
        style = f" class={quote_attribute(style)}" if style else ""
        title = f"<title>{escape_content(hint)}</title>" if hint else ""
        with self._inside(f"<g{style}>{title}", "</g>"):
            yield

    @contextmanager
    def _inside(self, start: str, end: str) -> Iterator[None]:
        self.parts.append(start)
        yield
        self.parts.append(end)

    def document(self, width: float, height: float, title: str, sheet: str, about: str = "") -> str:
        """The whole SVG document. ``title`` and ``about`` are its name and description for screen readers, ``sheet`` is
        the style sheet."""
        w, h = pixel_text(width), pixel_text(height)
        said, shown = escape_content(title), f"<desc>{escape_content(about)}</desc>\n" if about else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img">\n'
            f"<title>{said}</title>\n{shown}<style>{escape(sheet, quote=False)}</style>\n"
            + "\n".join(self.parts)
            + "\n</svg>\n"
        )
