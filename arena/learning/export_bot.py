"""Writes a network as a bot: a folder with ``bot.py``, a few lines, and ``weights.npz`` beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.coding.coding import coding_of
from arena.coding.network import Activation, FloatLayer, round_layers
from arena.coding.network_file import DescribedNetwork, check_fit, encode_network
from arena.config.editions import load_source, resolve_edition
from arena.errors import UserError
from arena.games import load_game
from arena.storage.files.atomic_files import check_place, write_whole

BOT_FILE, WEIGHTS_FILE = "bot.py", "weights.npz"
BOT_TEXT = '''"""A learned bot: a network, whose weights are in "{weights}" beside this file. Needs arena and NumPy."""

from __future__ import annotations

from pathlib import Path

from arena.coding.network_bot import NetworkBot


class Learned(NetworkBot):
    """Plays the legal action that the network likes best."""

    games = ("{game}",)
    weights = Path(__file__).with_name("{weights}")
    {hooks} = NetworkBot.choose
'''


def export_network(
    layers: Sequence[FloatLayer],
    folder: Path | str,
    rules: str,
    variants: Sequence[str] = (),
    activation: Activation | str = Activation.RELU,
) -> None:
    """Write a network as a bot to ``folder``, over an earlier one that was written there. ``rules`` and ``variants``
    name the edition in whose environment it was trained.

    Each layer has its weights, of the shape (inputs, outputs), and its biases; the ``activation`` follows each but the
    last: ``relu`` or ``tanh``. Raises UserError for an unknown edition, a network that does not fit it, weights that
    are not finite, and a folder with other files.
    """
    if activation not in list(Activation):
        raise UserError(f"activation: expected {' or '.join(Activation)}, got {activation!r}")
    edition = resolve_edition(load_source(rules), tuple(variants), None, ())
    coding = coding_of(edition.game, edition.rules)
    described = DescribedNetwork(round_layers(layers, Activation(activation)), edition.game, coding.digest())
    check_fit(described, coding, edition.game, "the network")
    write_network_bot(described, Path(folder))


def export_policy(model: Any, folder: Path | str, rules: str, variants: Sequence[str] = ()) -> None:
    """Write the policy of a model of Stable-Baselines3 or sb3-contrib, such as ``MaskablePPO("MlpPolicy", …)``, as a
    bot to ``folder``: as :func:`export_network` does.

    Raises UserError too for a policy that is no plain network of linear layers with ReLU or tanh between them, and for
    observations that were normalised on the way.
    """
    if model.get_vec_normalize_env() is not None:
        raise UserError("export_policy: the bot sees observations as they are; train without VecNormalize")
    layers, activation = layers_of_policy(model.policy)
    export_network(layers, folder, rules, variants, activation)


def write_network_bot(described: DescribedNetwork, folder: Path) -> None:
    """Write a bot. Raises UserError for a folder with other files."""
    check_bot_folder(folder)
    write_whole(folder / WEIGHTS_FILE, encode_network(described))
    hooks = " = ".join(load_game(described.game).hooks)
    text = BOT_TEXT.format(game=described.game, weights=WEIGHTS_FILE, hooks=hooks)
    write_whole(folder / BOT_FILE, text.encode())


def layers_of_policy(policy: Any) -> tuple[list[FloatLayer], Activation]:
    """The layers of the actor of an ``MlpPolicy``, and what follows each but the last. Raises UserError for others."""
    try:
        modules = [*policy.mlp_extractor.policy_net, policy.action_net]
        extractor = type(policy.pi_features_extractor).__name__
    except AttributeError as problem:
        raise UserError(f'export_policy: expected a model with an "MlpPolicy" ({problem})') from None
    names = [type(module).__name__ for module in modules]
    between = set(names[1::2])
    if extractor != "FlattenExtractor" or set(names[::2]) != {"Linear"} or not between <= {"ReLU", "Tanh"}:
        raise UserError(
            f"export_policy: expected linear layers with ReLU or tanh between them, got {extractor}, {', '.join(names)}"
        )
    if len(between) > 1:
        raise UserError("export_policy: expected either ReLU or tanh between the layers, got both")
    activation = Activation.TANH if between == {"Tanh"} else Activation.RELU
    return [_floats_of(module) for module in modules[::2]], activation


def check_bot_folder(folder: Path) -> None:
    """Raise UserError where no bot can be written to ``folder``: it is none, or has files of another kind."""
    check_place(folder, "the bot's folder", folder=True)
    others = sorted({each.name for each in folder.glob("*")} - {BOT_FILE, WEIGHTS_FILE, "__pycache__"})
    if others:
        raise UserError(
            f"{folder}: expected an empty folder or an earlier bot of this kind, got {', '.join(others[:3])}"
        )


def _floats_of(module: Any) -> FloatLayer:
    """The weights of a linear layer of PyTorch, which has them by output, and its biases."""
    return module.weight.detach().cpu().numpy().T, module.bias.detach().cpu().numpy()
