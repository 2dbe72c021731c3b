"""Profile and listings: what people see of what is remembered, decided, held and doubted."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.errors import InvalidInput, NotFound
from lethe.ids import new_id, shown
from lethe.recall import reading
from lethe.recall.profile import profile
from lethe.store.database import tenant_transaction
from lethe.store.tables import events, evidence, lineage, proposals, reviews, turns
from tests.integration.recall_rows import NOW, TENANT, Rows, days


@pytest.fixture
def rows(engine: Engine) -> Rows:
    return Rows(engine)


def claims(document: dict[str, Any], name: str = "memories") -> list[Any]:
    return [row["claim"] for row in document[name]]


# --- profile ------------------------------------------------------------------------------------------------------


def test_the_profile_holds_instructions_then_preferences_then_single_valued_facts(rows: Rows) -> None:
    rows.memory("The user lives in Oulu.", cardinality="single")
    rows.memory("The user speaks Danish.", cardinality="many")
    rows.memory("The user went to Rome.", kind="episodic", cardinality="single")
    rows.memory("The user prefers tea.", kind="preference")
    rows.memory("Always answer in Finnish.", kind="instruction")
    found = claims(profile(rows.engine, TENANT, "ann", now=NOW))
    assert found == ["Always answer in Finnish.", "The user prefers tea.", "The user lives in Oulu."]


def test_the_profile_leaves_out_what_may_not_be_handed_out(rows: Rows) -> None:
    for columns in (
        {"standing": "superseded", "valid_to": days(-1)},
        {"contested": True},
        {"expires_at": days(-1)},
        {"retired_as": "archived", "retired_at": days(-1)},
        {"invisible_at": NOW},
    ):
        rows.memory("The user prefers tea.", kind="preference", **columns)
    assert claims(profile(rows.engine, TENANT, "ann", now=NOW)) == []


def test_the_profile_of_a_past_day_says_what_held_then(rows: Rows) -> None:
    rows.memory(
        "The user prefers tea.", kind="preference", observed_at=days(-90), standing="superseded", valid_to=days(-30)
    )
    rows.memory("The user prefers coffee.", kind="preference", observed_at=days(-30))
    assert claims(profile(rows.engine, TENANT, "ann", as_of=days(-60), now=NOW)) == ["The user prefers tea."]
    assert claims(profile(rows.engine, TENANT, "ann", now=NOW)) == ["The user prefers coffee."]


def test_a_wish_for_one_project_is_not_in_the_profile_of_another(rows: Rows) -> None:
    rows.memory("Commit messages are Finnish.", kind="instruction", project="heron")
    rows.memory("Reviews are short.", kind="instruction", user=None, project="heron")
    assert set(claims(profile(rows.engine, TENANT, "ann", "heron", now=NOW))) == {
        "Commit messages are Finnish.",
        "Reviews are short.",
    }
    assert claims(profile(rows.engine, TENANT, "ann", "swan", now=NOW)) == []
    assert claims(profile(rows.engine, TENANT, "ann", now=NOW)) == []


def test_a_profile_needs_a_scope(rows: Rows) -> None:
    with pytest.raises(InvalidInput):
        profile(rows.engine, TENANT, None, now=NOW)


# --- memories -----------------------------------------------------------------------------------------------------


def test_memories_lists_current_ones_unless_asked_for_more(rows: Rows) -> None:
    rows.memory("The user lives in Oulu.", independent=2)
    rows.memory("The user lived in Lahti.", standing="superseded", valid_to=days(-5))
    rows.memory("The user plays chess.", stale_since=days(-1))
    rows.memory("The user ran.", invisible_at=NOW, kind="episodic")
    assert claims(reading.memories(rows.engine, TENANT)) == ["The user lives in Oulu."]
    assert claims(reading.memories(rows.engine, TENANT, states=["stale"])) == ["The user plays chess."]
    everything = reading.memories(rows.engine, TENANT, every=True)["memories"]
    assert {memory["claim"]: memory["state"] for memory in everything} == {
        "The user lives in Oulu.": "reinforced",
        "The user lived in Lahti.": "superseded",
        "The user plays chess.": "stale",
    }
    assert claims(reading.memories(rows.engine, TENANT, kind="episodic", every=True)) == []


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ({}, {"own", "heron", "swan", "shared", "bob", "bobheron"}),
        ({"user": "ann"}, {"own", "heron", "swan"}),
        ({"user": "ann", "project": "heron"}, {"own", "heron", "shared"}),
        ({"project": "heron"}, {"heron", "shared", "bobheron"}),
        ({"user": "nobody"}, set()),
    ],
)
def test_listings_keep_to_the_scope_that_was_named(rows: Rows, scope: dict[str, Any], expected: set[str]) -> None:
    rows.memory("own")
    rows.memory("heron", project="heron")
    rows.memory("swan", project="swan")
    rows.memory("shared", user=None, project="heron")
    rows.memory("bob", user="bob")
    rows.memory("bobheron", user="bob", project="heron")
    Rows(rows.engine, "globex").memory("foreign")
    assert set(claims(reading.memories(rows.engine, TENANT, **scope))) == expected
    assert set(claims(reading.decisions(rows.engine, TENANT, **scope), "decisions")) == expected


# --- decisions and held -------------------------------------------------------------------------------------------


def test_a_decision_shows_its_claim_and_memory(rows: Rows) -> None:
    memory = rows.memory("The user lives in Oulu.")
    (found,) = reading.decisions(rows.engine, TENANT, turn="t0")["decisions"]
    assert found["memory"] == shown("mem", memory)
    assert (found["turn"], found["session"], found["kind"], found["claim"]) == (
        "t0",
        "s1",
        "semantic",
        "The user lives in Oulu.",
    )
    assert (found["outcome"], found["reasons"], found["policy"]) == ("admit", ["passed_every_check"], "test@1")
    assert found["decided_at"] == NOW.isoformat()


def test_the_claim_of_what_was_refused_as_secret_is_not_shown(rows: Rows) -> None:
    rows.held("The user's password is [redacted].", ["secret"], "reject")
    rows.held("The user might move.", ["speculative"], "reject")
    found = reading.decisions(rows.engine, TENANT, outcome="reject")["decisions"]
    assert {row["reasons"][0]: row["claim"] for row in found} == {"secret": None, "speculative": "The user might move."}


def test_a_decision_about_a_whole_turn_has_no_claim(rows: Rows) -> None:
    row = {"user_id": "ann", "project": None, "kind": None}
    with tenant_transaction(rows.engine, TENANT) as connection:
        rows.decision(connection, None, "t9", "s1", row, "reject", ["unsupported_language"], None)
    (found,) = reading.decisions(rows.engine, TENANT, turn="t9")["decisions"]
    assert (found["proposal"], found["claim"], found["memory"]) == (None, None, None)


def test_held_asks_in_the_second_person(rows: Rows) -> None:
    name = rows.held("The user prefers rye bread.", ["awaiting_second_session"])
    rows.held("The user might move.", ["speculative"], "reject")
    (found,) = reading.held(rows.engine, TENANT, user="ann")["held"]
    assert found["held"] == shown("prop", name)
    assert found["ask"] == "I can remember that you prefer rye bread. Save it?"
    assert found["reasons"] == ["awaiting_second_session"]
    assert reading.held(rows.engine, TENANT, user="bob")["held"] == []


# --- reviews ------------------------------------------------------------------------------------------------------


def test_an_open_review_shows_both_sides_and_a_settled_one_is_gone(rows: Rows) -> None:
    sides = [rows.memory("The limit is 5.", contested=True), rows.memory("The limit is 9.", contested=True)]
    review = {"tenant": TENANT, "key": new_id(), "memories": sides, "reason": "conflict_needs_review", "opened_at": NOW}
    with tenant_transaction(rows.engine, TENANT) as connection:
        connection.execute(reviews.insert(), [{**review, "id": new_id()}, {**review, "id": new_id()}])
        connection.execute(
            sa.text("update reviews set resolved_at = :now where id = (select min(id::text)::uuid from reviews)"),
            {"now": NOW},
        )
    (found,) = reading.reviews(rows.engine, TENANT)["reviews"]
    assert found["memories"] == [shown("mem", side) for side in sides]
    assert [choice["claim"] for choice in found["choices"]] == ["The limit is 5.", "The limit is 9."]
    assert len(reading.reviews(rows.engine, TENANT, user="ann")["reviews"]) == 1
    assert reading.reviews(rows.engine, TENANT, user="bob")["reviews"] == []


# --- why ----------------------------------------------------------------------------------------------------------


def test_why_shows_evidence_history_and_lineage(rows: Rows) -> None:
    source = rows.memory("The user plays the horn.", text="I play the horn. " * 40)
    merged = rows.memory("The user plays the horn in a band.", turn="t7", observed_offset=3600)
    with tenant_transaction(rows.engine, TENANT) as connection:
        connection.execute(
            lineage.insert(), {"tenant": TENANT, "output": merged, "input": source, "consolidation": new_id()}
        )
        connection.execute(
            events.insert(),
            {
                "tenant": TENANT,
                "at": NOW,
                "subject": merged,
                "change": "reviewed",
                "reason": "kept",
                "actor": "person",
                "policy": "test@1",
            },
        )
    found = reading.why(rows.engine, TENANT, shown("mem", merged))
    assert found["memory"]["claim"] == "The user plays the horn in a band."
    assert found["memory"]["derived_from"] == found["derived_from"] == [shown("mem", source)]
    assert [step["change"] for step in found["history"]] == ["admitted", "reviewed"]
    of_the_input, piece = sorted(found["evidence"], key=lambda each: str(each["turn"]))
    assert (of_the_input["turn"], piece["turn"], piece["role"], piece["independent"]) == ("t0", "t7", "source", True)
    assert piece["observed_at"].endswith("+01:00")
    below = reading.why(rows.engine, TENANT, shown("mem", source))
    assert below["derived"] == [shown("mem", merged)]
    assert len(below["evidence"][0]["excerpt"]) <= reading.EXCERPT + 2


def test_evidence_whose_text_was_purged_is_still_named(rows: Rows) -> None:
    memory = rows.memory("The user plays the horn.")
    with tenant_transaction(rows.engine, TENANT) as connection:
        connection.execute(turns.update().where(turns.c.tenant == TENANT), {"text": None})
    (piece,) = reading.why(rows.engine, TENANT, shown("mem", memory))["evidence"]
    assert (piece["turn"], piece["excerpt"]) == ("t0", None)


def test_a_dependent_repeat_is_shown_as_such(rows: Rows) -> None:
    memory, repeat = rows.memory("The user plays the horn."), rows.memory("The user plays the horn!", turn="t8")
    with tenant_transaction(rows.engine, TENANT) as connection:
        other = connection.execute(sa.select(proposals).where(proposals.c.turn == "t8")).one()
        connection.execute(
            evidence.insert(),
            {
                "tenant": TENANT,
                "memory": memory,
                "proposal": other.id,
                "turn_id": other.turn_id,
                "role": "evidence",
                "independent": False,
            },
        )
    assert repeat
    found = reading.why(rows.engine, TENANT, shown("mem", memory))["evidence"]
    assert [(piece["turn"], piece["independent"]) for piece in found] == [("t0", True), ("t8", False)]


@pytest.mark.parametrize("name", ["mem_0", "nonsense", shown("mem", new_id())])
def test_why_of_an_unknown_memory_is_not_found(rows: Rows, name: str) -> None:
    with pytest.raises(NotFound):
        reading.why(rows.engine, TENANT, name)


def test_why_does_not_reach_into_another_tenant(rows: Rows) -> None:
    foreign = Rows(rows.engine, "globex").memory("The user plays the horn.")
    with pytest.raises(NotFound):
        reading.why(rows.engine, TENANT, shown("mem", foreign))


def test_an_excerpt_shows_the_words_in_question() -> None:
    text = "x " * 300 + "The door is green. " + "y " * 300
    found = reading.excerpt(text, "Green")
    assert found is not None
    assert "door is green" in found
    assert found.startswith("…") and found.endswith("…")
