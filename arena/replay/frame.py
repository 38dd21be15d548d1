"""A packed replay: one independent zstd frame with a checksum of its content.

``zstd -d`` decompresses several frames in a row to the same replays in a row (RFC 8878).
"""

from __future__ import annotations

import sys

import msgspec

from arena.errors import ReplayError
from arena.foreign_files import DECODE_ERRORS, LARGEST_FILE_BYTES

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSION_LEVEL = 7
"""The level up to which compression takes little time beside the match itself, which takes some fifty times as long."""
MAGIC = b"\x28\xb5\x2f\xfd"
"""The bytes with which every frame begins."""
LARGEST_FRAME = LARGEST_FILE_BYTES + (1 << 20)
"""The maximum size of a frame in bytes: incompressible content grows only slightly."""
_WINDOW_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: LARGEST_FILE_BYTES.bit_length() - 1}
_COMPRESSION_OPTIONS: dict[int, int] = {
    zstd.CompressionParameter.compression_level: COMPRESSION_LEVEL,
    zstd.CompressionParameter.checksum_flag: 1,
}


_TOO_LARGE = f"it has more than {LARGEST_FILE_BYTES >> 20} MiB unpacked, too much for a replay"


class _MatchId(msgspec.Struct):
    id: str


_ID_DECODER = msgspec.json.Decoder(_MatchId)


def pack_replay(replay: bytes) -> bytes:
    """The replay as a frame."""
    return zstd.compress(replay, options=_COMPRESSION_OPTIONS)


def unpack_replay(frame: bytes) -> bytes:
    """Decompress a replay from a frame. Raises ReplayError where the frame is cut off, damaged, more than one, or
    contains more than :data:`arena.foreign_files.LARGEST_FILE_BYTES` bytes: no more are decompressed."""
    unpacking = zstd.ZstdDecompressor(options=_WINDOW_OPTIONS)
    try:
        replay = unpacking.decompress(frame, max_length=LARGEST_FILE_BYTES + 1)
    except zstd.ZstdError as problem:
        if "too much memory" in str(problem):
            raise ReplayError(_TOO_LARGE) from None
        raise ReplayError(f"its packed bytes are damaged: {problem}") from None
    if len(replay) > LARGEST_FILE_BYTES:
        raise ReplayError(_TOO_LARGE)
    if not unpacking.eof or unpacking.unused_data:
        raise ReplayError("its packed bytes are damaged: they are not one whole frame")
    return replay


def length_of(content: memoryview) -> int | None:
    """The length in bytes of the frame at the beginning of ``content``; None where it is cut off or no frame."""
    try:
        return int(zstd.get_frame_size(content))
    except zstd.ZstdError:
        return None


def id_of(replay: bytes) -> str | None:
    """The id of the match in a replay's first line; None where it has none."""
    try:
        return _ID_DECODER.decode(replay.partition(b"\n")[0]).id
    except DECODE_ERRORS:
        return None
