"""``arena register``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

import click
import msgspec

from arena.cli.command_classes import ArenaCommand
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.config.tournament_config import MOST_BLOCKS
from arena.errors import UserError
from arena.runs.planning.make_plan import find_config, make_plan
from arena.runs.planning.plan_facts import facts_of
from arena.runs.planning.registered_plan import secret_path
from arena.sequential.test_settings import Settings
from arena.storage.files.atomic_files import check_place, write_whole
from arena.storage.run_facts.registration import Registration, SeedSecret, StoppingRule
from arena.storage.run_facts.registration_check import registrable_settings
from arena.tournament.inference.paired import PairedMeasure

SALT_BYTES = 16


@click.command(cls=ArenaCommand)
@click.argument("config", metavar="CONFIG")
@click.argument("new")
@click.argument("old")
@click.option(
    "--measure",
    type=click.Choice([each.value for each in PairedMeasure]),
    default=PairedMeasure.BEATEN.value,
    show_default=True,
    help="What is compared: wins, the share of opponents beaten, or money.",
)
@click.option("--margin", type=float, default=0.3, show_default=True, help="The smallest difference that matters.")
@click.option("--null", type=float, default=0.0, show_default=True, help="A difference up to this counts as none.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Error rate: how often equals may differ.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="Error rate: how often the margin is missed.")
@click.option("-n", "--blocks", type=click.IntRange(1, MOST_BLOCKS), help="Number of blocks; by default as in CONFIG.")
@click.option("--seed", help="Seed of the tournament; a random one by default.")
@click.option(
    "--exclude", "exclusions", multiple=True, metavar="TEXT", help="Which matches will not count; repeatable."
)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change any key of CONFIG; repeatable.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), required=True, help="The file to write, such as plan.json."
)
@click.option("--json", "as_json", is_flag=True, help="Print the file and its digest as JSON.")
def register(
    config: str,
    new: str,
    old: str,
    measure: str,
    margin: float,
    null: float,
    alpha: float,
    beta: float,
    blocks: int | None,
    seed: str | None,
    exclusions: tuple[str, ...],
    settings: tuple[str, ...],
    out: Path,
    as_json: bool,
) -> None:
    """Write down, before the first match of the tournament in CONFIG, whether its entrant NEW is better than OLD, and
    how that will be decided.

    The file has the contrast, the test, the digests of all bots and rules, and a commitment to the seed. Publish its
    digest, and keep the seed, in the file FILE.secret beside it, to yourself until the run has ended. `arena run
    --registration FILE` plays it; `arena verify` lists what deviates.

    \b
    Examples:
      arena register versions.yaml version-8 version-7 --margin 0.2 --out plan.json
      arena run versions.yaml --registration plan.json --out results/registered
      arena compare version-8 version-7 --from results/registered --difference 0.2
    """
    chosen = PairedMeasure(measure)
    Settings(measure=chosen, bound=1.0, difference=margin, null=null, alpha=alpha, beta=beta)
    check_place(out, "--out")
    if out.exists() or secret_path(out).exists():
        raise UserError(f"{out} is there already; a registration is never overwritten; choose another --out")
    plan = make_plan(find_config(config), [*([] if blocks is None else [f"blocks={blocks}"]), *settings], seed)
    plan.check_entrants((new, old))
    if new == old:
        raise UserError(f"expected two entrants, got {new} twice")
    facts, secret = facts_of(plan, ""), SeedSecret(plan.seed, token_hex(SALT_BYTES))
    written = Registration(
        arena=facts.arena,
        tournament=facts.tournament,
        registered=datetime.now(UTC).isoformat(timespec="seconds"),
        contrast=(new, old),
        measure=chosen,
        margin=margin,
        stopping=StoppingRule(blocks=facts.blocks, alpha=alpha, beta=beta, null=null),
        exclusions=("void matches", *exclusions),
        entrants={name: {key: each[key] for key in ("sha256", "options")} for name, each in facts.entrants.items()},
        editions=facts.editions,
        settings=registrable_settings(facts),
        seed_commitment=secret.commitment(),
    )
    write_whole(secret_path(out), msgspec.json.encode(secret) + b"\n")
    secret_path(out).chmod(0o600)
    write_whole(out, written.content())
    if as_json:
        print_json({"file": str(out), "sha256": written.digest(), "secret": str(secret_path(out))})
        return
    click.echo(f"{written.digest()}  {out}")
    print_message(f"publish this digest now; keep {secret_path(out)}, which has the seed, until the run has ended")
    print_message(f"then: arena run {config} --registration {out}")
