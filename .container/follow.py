"""Does what ``Containerfile`` says in a folder that stands for its root, for machines where no builder of images is:

    python3 .container/follow.py ROOT

Each COPY and RUN is carried out in its order, with nothing in the environment but what ENV gives. The base image and
its user are left out: the Python and the user of this machine take their place.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CONTAINERFILE, CONTEXT = HERE / "Containerfile", HERE.parent
OF_THE_IMAGE = ("FROM", "USER", "ENTRYPOINT", "CMD")
LEFT_OUT = ("useradd",)


def read_steps(text: str) -> list[tuple[str, str]]:
    """The instructions of a Containerfile, each with what follows it."""
    lines = text.replace("\\\n", " ").splitlines()
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in lines if line and line[0] != "#"]


def follow(root: Path) -> None:
    """Carry out every step. Raises SystemExit for an instruction that is not known."""
    root = root.resolve()
    home, place = root / "home" / "arena", root
    home.mkdir(parents=True)
    kept = ("PIP_", "HTTP", "http", "SSL_", "REQUESTS_")  # how this machine reaches the package index
    environment = {name: value for name, value in os.environ.items() if name.startswith(kept)}
    environment |= {"HOME": str(home), "PATH": f"{Path(sys.executable).parent}:{os.defpath}"}
    for step, rest in read_steps(CONTAINERFILE.read_text("utf-8")):
        inside = rest.replace("/home/arena", str(home))
        print(f"{step} {rest}", flush=True)
        match step:
            case "WORKDIR":
                place = Path(inside)
                place.mkdir(parents=True)
            case "ENV":
                name, _, value = inside.partition("=")
                environment[name] = f"{value}:{environment['PATH']}" if name == "PATH" else value
            case "COPY":
                *sources, target = [word for word in shlex.split(inside) if not word.startswith("--")]
                for source in sources:
                    copy(CONTEXT / source, place / target)
            case "RUN" if not rest.startswith(LEFT_OUT):
                subprocess.run(["sh", "-c", inside], cwd=place, env=environment, check=True)
            case "RUN":
                continue
            case _ if step not in OF_THE_IMAGE:
                raise SystemExit(f"{CONTAINERFILE}: {step} is not known here")


def copy(source: Path, target: Path) -> None:
    """Copy a file into a folder, or a folder's content to a place."""
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    else:
        shutil.copy(source, target)


if __name__ == "__main__":
    follow(Path(sys.argv[1]))
