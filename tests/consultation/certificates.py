"""Certificates for endpoints of tests: an authority, and what it signs (X.509, RFC 5280; ECDSA on P-256, RFC 6979 in
spirit: no randomness is needed for keys that protect nothing)."""

from __future__ import annotations

from base64 import encodebytes
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from ipaddress import ip_address
from typing import NamedTuple

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
Point = tuple[int, int] | None


def _add(one: Point, other: Point) -> Point:
    if one is None or other is None:
        return one or other
    if one[0] == other[0]:
        if (one[1] + other[1]) % P == 0:
            return None
        slope = (3 * one[0] ** 2 - 3) * pow(2 * one[1], -1, P)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, P)
    x = (slope**2 - one[0] - other[0]) % P
    return x, (slope * (one[0] - x) - one[1]) % P


def _times(number: int) -> tuple[int, int]:
    found: Point = None
    adding: Point = G
    while number:
        found, adding, number = _add(found, adding) if number & 1 else found, _add(adding, adding), number >> 1
    assert found is not None
    return found


def _der(tag: int, *parts: bytes) -> bytes:
    content = b"".join(parts)
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8)
    return bytes([tag, 0x80 | len(length)]) + length + content


def _integer(number: int) -> bytes:
    return _der(2, number.to_bytes(number.bit_length() // 8 + 1))


def _bits(content: bytes) -> bytes:
    return _der(3, b"\0" + content)


def _oid(text: str) -> bytes:
    first, second, *rest = map(int, text.split("."))
    encoded = bytearray([40 * first + second])
    for number in rest:
        septets = [number & 127]
        while number := number >> 7:
            septets.insert(0, 0x80 | number & 127)
        encoded += bytes(septets)
    return _der(6, bytes(encoded))


P256, SIGNED_WITH = _oid("1.2.840.10045.3.1.7"), _der(0x30, _oid("1.2.840.10045.4.3.2"))


def _extension(oid: str, content: bytes, critical: bool = False) -> bytes:
    return _der(0x30, _oid(oid), _der(1, b"\xff") if critical else b"", _der(4, content))


def _pem(kind: str, content: bytes) -> str:
    return f"-----BEGIN {kind}-----\n{encodebytes(content).decode()}-----END {kind}-----\n"


class Authority(NamedTuple):
    """An authority whose key follows from its name."""

    name: str

    @property
    def secret(self) -> int:
        """The private key."""
        return int.from_bytes(sha256(self.name.encode()).digest()) % N

    def certificate(self) -> str:
        """Its own certificate, as PEM."""
        return self._signed(self, authority=True)

    def sign(self, host: str) -> tuple[str, str]:
        """A certificate for a host, an address or a name, and its private key, as PEM."""
        subject = Authority(host)
        x, y = _times(subject.secret)
        public = _bits(b"\x04" + x.to_bytes(32) + y.to_bytes(32))
        key = _der(0x30, _integer(1), _der(4, subject.secret.to_bytes(32)), _der(0xA0, P256), _der(0xA1, public))
        return self._signed(subject, authority=False), _pem("EC PRIVATE KEY", key)

    def _signed(self, subject: Authority, authority: bool) -> str:
        now = datetime.now(UTC)
        until = (_der(0x17, f"{at:%y%m%d%H%M%SZ}".encode()) for at in (now - timedelta(1), now + timedelta(1)))
        tbs = _der(
            0x30,
            _der(0xA0, _integer(2)),
            _integer(len(subject.name) + 1000),
            SIGNED_WITH,
            self._named(),
            _der(0x30, *until),
            subject._named(),
            subject._public(),
            _der(0xA3, _der(0x30, *self._extensions(subject, authority))),
        )
        digest = int.from_bytes(sha256(tbs).digest())
        k = int.from_bytes(sha256(tbs + self.name.encode()).digest()) % N
        r = _times(k)[0] % N
        s = pow(k, -1, N) * (digest + r * self.secret) % N
        return _pem("CERTIFICATE", _der(0x30, tbs, SIGNED_WITH, _bits(_der(0x30, _integer(r), _integer(s)))))

    def _extensions(self, subject: Authority, authority: bool) -> list[bytes]:
        found = [
            _extension("2.5.29.14", _der(4, subject._mark())),
            _extension("2.5.29.35", _der(0x30, _der(0x80, self._mark()))),
        ]
        if authority:
            found.append(_extension("2.5.29.19", _der(0x30, _der(1, b"\xff")), critical=True))
            found.append(_extension("2.5.29.15", _der(3, b"\x02\x04"), critical=True))  # it signs certificates
            return found
        try:
            names = _der(0x87, ip_address(subject.name).packed)
        except ValueError:
            names = _der(0x82, subject.name.encode())
        return [*found, _extension("2.5.29.17", _der(0x30, names))]

    def _named(self) -> bytes:
        return _der(0x30, _der(0x31, _der(0x30, _oid("2.5.4.3"), _der(0x0C, self.name.encode()))))

    def _public(self) -> bytes:
        x, y = _times(self.secret)
        kind = _der(0x30, _oid("1.2.840.10045.2.1"), P256)
        return _der(0x30, kind, _bits(b"\x04" + x.to_bytes(32) + y.to_bytes(32)))

    def _mark(self) -> bytes:
        return sha256(self._public()).digest()[:20]
