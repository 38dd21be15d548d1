"""The file of a network: ``weights.npz``, arrays that NumPy reads, and what they are weights for.

``game`` names the game, ``coding`` is the digest of its actions and of the fields of its observations, ``activation``
one of :class:`arena.coding.network.Activation`; layer N, from 0 on, has ``weights_N``, ``bias_N`` and ``shift_N``. The
arrays are not compressed, so the same network gives the same bytes with every version of zlib.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy

from arena.coding.coding import Coding
from arena.coding.network import Activation, Network, WholeLayer
from arena.errors import UserError
from arena.foreign_files import read_argument

MOST_BYTES = 64 * 1024 * 1024
"""The greatest size of a network's file."""
MOST_LAYERS = 16


class DescribedNetwork(NamedTuple):
    """A network, the game that it plays, and the digest of the coding of its inputs and outputs."""

    network: Network
    game: str
    coding: str


def encode_network(described: DescribedNetwork) -> bytes:
    """The bytes of the file of a network."""
    network = described.network
    arrays: dict[str, Any] = {
        "game": numpy.array(described.game),
        "coding": numpy.array(described.coding),
        "activation": numpy.array(str(network.activation)),
    }
    for number, layer in enumerate(network.layers):
        arrays |= {
            f"weights_{number}": layer.weights,
            f"bias_{number}": layer.bias,
            f"shift_{number}": numpy.array(layer.shift),
        }
    file = io.BytesIO()
    numpy.savez(file, **arrays)
    return file.getvalue()


def read_network(path: Path) -> DescribedNetwork:
    """The network of a file. Raises UserError, naming the file, where there is none, it is too large, or it is
    damaged."""
    try:
        return _decode_network(read_argument(path, MOST_BYTES))
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile, EOFError, SyntaxError) as problem:
        raise UserError(f"{path}: expected the weights of a network: {problem}") from None


def check_fit(described: DescribedNetwork, coding: Coding, game: str, where: str) -> None:
    """Raise UserError where the network is for another game, or for actions and observations other than those of
    ``coding``."""
    network = described.network
    if described.game != game:
        raise UserError(f"{where}: expected weights for {game}, got some for {described.game}")
    if (network.inputs, network.outputs) != (coding.size, len(coding.actions)):
        raise UserError(
            f"{where}: this edition has {coding.size} observed numbers and {len(coding.actions)} actions, "
            f"and the network is for {network.inputs} and {network.outputs}"
        )
    if described.coding != coding.digest():
        raise UserError(
            f"{where}: the network is for other actions or observations of {game}, such as those of another version "
            "of arena; train it again"
        )


def _decode_network(content: bytes) -> DescribedNetwork:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(member.file_size for member in archive.infolist()) > MOST_BYTES:
            raise ValueError(f"it has more than {MOST_BYTES} bytes")
    with numpy.load(io.BytesIO(content), allow_pickle=False) as arrays:
        count = sum(name.startswith("weights_") for name in arrays.files)
        if count > MOST_LAYERS:
            raise ValueError(f"it has more than {MOST_LAYERS} layers")
        layers = [
            WholeLayer(arrays[f"weights_{number}"], arrays[f"bias_{number}"], int(arrays[f"shift_{number}"]))
            for number in range(count)
        ]
        network = Network(layers, Activation(str(arrays["activation"])))
        return DescribedNetwork(network, str(arrays["game"]), str(arrays["coding"]))
