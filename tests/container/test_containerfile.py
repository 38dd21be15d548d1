"""The image is small and its user has no rights; that its steps work is tried by ``.ci/run``, which follows them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def follower() -> ModuleType:
    """The program that does what the Containerfile says."""
    spec = importlib.util.spec_from_file_location("follow", ROOT / ".container" / "follow.py")
    assert spec is not None and spec.loader is not None  # noqa: PT018
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_everything_is_installed_and_run_by_a_user_without_rights(follower: ModuleType) -> None:
    steps = follower.read_steps(follower.CONTAINERFILE.read_text())
    names = [step for step, _ in steps]
    user = steps[names.index("USER")][1]
    assert f"RUN useradd --create-home {user}".split(maxsplit=1) == ["RUN", steps[names.index("USER") - 1][1]]
    assert names.count("USER") == 1
    assert names.index("USER") < names.index("COPY")
    assert all(rest.startswith(f"--chown={user} ") for step, rest in steps if step == "COPY")
    assert steps[0][1].endswith("-slim")


def test_the_image_has_all_that_both_commands_of_the_readme_need(follower: ModuleType) -> None:
    steps = follower.read_steps(follower.CONTAINERFILE.read_text())
    copied = {word for step, rest in steps if step == "COPY" for word in rest.split()[1:-1]}
    of_the_package = {"pyproject.toml", "README.md", "LICENSE", "arena", "bots", "configs"}
    assert copied == of_the_package | {"tests", ".ci", ".compiled", ".container", ".importlinter"}  # what tests read
    assert all((ROOT / name).exists() for name in copied)
    assert any(step == "RUN" and rest.endswith("pip install --quiet --no-cache-dir .") for step, rest in steps)


def test_files_are_copied_and_commands_run_in_a_root_of_their_own(
    follower: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("context/code/__pycache__", "other"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "context" / "code" / "one.py").write_text("1")
    (tmp_path / "context" / "file").write_text("2")
    text = """
# a comment
FROM somewhere
RUN useradd arena
WORKDIR /home/arena/place
COPY --chown=arena file ./
COPY --chown=arena code code
ENV PATH=/home/arena/bin:/bin
RUN echo "$PATH" > /home/arena/said && \\
    ls code > listed && test -z "$SECRET"
"""
    (tmp_path / "Containerfile").write_text(text)
    monkeypatch.setattr(follower, "CONTAINERFILE", tmp_path / "Containerfile")
    monkeypatch.setattr(follower, "CONTEXT", tmp_path / "context")
    monkeypatch.setenv("SECRET", "1")
    follower.follow(tmp_path / "root")
    home = tmp_path / "root" / "home" / "arena"
    assert (home / "said").read_text().startswith(f"{home}/bin:")
    assert (home / "place" / "listed").read_text() == "one.py\n"
    assert (home / "place" / "file").read_text() == "2"
    (tmp_path / "Containerfile").write_text("ADD what /is\n")
    with pytest.raises(SystemExit, match="ADD is not known here"):
        follower.follow(tmp_path / "again")
