"""Labels of bots in short, as terminals show them: one sentence for those that are alike."""

from __future__ import annotations

from arena.tournament.standings.provenance import NAMED_BOTS, Label, LabelEvidence, Provenance, labels_in_short

CHECK = "arena audit, 2026-01-03"


def labelled(label: Label, played: int) -> LabelEvidence:
    return LabelEvidence(label, f"{played} of {played} matches played again: same bytes ({CHECK})", played, CHECK)


def test_bots_that_repeat_themselves_share_a_sentence() -> None:
    labels = {name: labelled(Label.ITSELF, played) for name, played in (("ann", 7), ("ben", 9), ("cat", 8))}
    told = f"ann, ben and cat repeat themselves, with another seed too (7 to 9 matches of each played again; {CHECK})."
    assert labels_in_short(labels) == [told]
    provenance = Provenance("ab", 20, labels)
    assert provenance.in_short() == [told, "Root digest of all 20 matches: ab"]
    assert len(provenance.in_words()) == 4, "files keep the whole evidence"


def test_those_that_repeat_from_the_seed_have_a_sentence_of_their_own() -> None:
    labels = {
        "ann": labelled(Label.FROM_SEED, 8),
        "ben": labelled(Label.ITSELF, 8),
        "cat": labelled(Label.FROM_SEED, 8),
    }
    first, second = labels_in_short(labels)
    assert first == f"ben repeats itself: {labels['ben'].evidence}."
    assert second == f"ann and cat repeat themselves from the seed (8 matches of each played again; {CHECK})."


def test_those_that_do_not_repeat_themselves_keep_their_evidence() -> None:
    labels = {"ann": labelled(Label.NOT, 8), "ben": labelled(Label.NOT, 8)}
    assert labels_in_short(labels) == [f"{name} is not repeatable: {labels[name].evidence}." for name in labels]


def test_many_are_counted() -> None:
    (told,) = labels_in_short({f"bot{number}": labelled(Label.ITSELF, 1) for number in range(NAMED_BOTS + 1)})
    assert told.startswith(
        f"{NAMED_BOTS + 1} bots repeat themselves, with another seed too (1 match of each played again; "
    )
