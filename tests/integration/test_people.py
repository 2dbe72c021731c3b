"""What people decide is a dated input of the fold: confirmations, refusals, corrections and settled contradictions."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.errors import InvalidInput, NotFound
from lethe.keys import Keyring
from lethe.lifecycle.people import NotHeld, Settled, correct, resolve, rule_on_held
from lethe.recall import reading
from lethe.records import Ruling
from lethe.rules import Rules
from lethe.store.database import tenant_transaction
from tests.integration.line import NOW, Line


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> Line:
    return Line(engine, rules, keys)


def held(line: Line) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = reading.held(line.engine, tenant=line.tenant)["held"]
    return rows


def decide(line: Line, name: str, ruling: Ruling) -> None:
    with tenant_transaction(line.engine, line.tenant) as connection:
        rule_on_held(connection, line.tenant, name, ruling, line.rules, NOW)


def guess(line: Line) -> str:
    turn = line.turn("a1", "The one with rye bread again, please.", 0)
    line.take(turn)
    line.propose(line.proposal(turn, "prefers_bread", "rye bread", kind="preference", basis="inferred"))
    line.drain()
    (row,) = held(line)
    return str(row["held"])


def test_a_confirmed_proposal_becomes_a_memory_on_the_users_word(line: Line) -> None:
    name = guess(line)
    decide(line, name, Ruling.CONFIRMED)
    (row,) = line.memories()
    assert (row["object"], row["basis"], row["state"]) == ("rye bread", "confirmed", "admitted")
    assert held(line) == []
    with pytest.raises(NotHeld):
        decide(line, name, Ruling.DECLINED)


def test_a_declined_proposal_never_becomes_one(line: Line) -> None:
    decide(line, guess(line), Ruling.DECLINED)
    assert (held(line), line.memories()) == ([], [])
    assert ("reject", ["declined"]) in line.reasons("a1")


def test_an_unknown_or_foreign_id_is_not_found(line: Line) -> None:
    name = guess(line)
    other = Line(line.engine, line.rules, line.keys, tenant="other")
    for tenant, asked in ((line, "prop_" + "0" * 32), (line, "nonsense"), (other, name)):
        with pytest.raises(NotFound):
            decide(tenant, asked, Ruling.CONFIRMED)


def test_a_correction_is_a_confirmed_successor_and_old_turns_do_not_undo_it(line: Line) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0))
    (old,) = line.memories()
    with tenant_transaction(line.engine, line.tenant) as connection:
        correct(connection, line.tenant, old["memory"], "The user lives in Ribe.", line.rules, line.keys, NOW)
    line.take(line.turn("a2", "I live in Esbjerg.", 3), line.turn("a1", "I live in Varde.", 0))
    assert line.current() == ["The user lives in Ribe."]
    rows = {row["claim"]: row for row in line.memories()}
    assert rows["The user lives in Ribe."]["basis"] == "confirmed"
    assert rows["The user lives in Varde."]["state"] == "superseded"


def test_a_correction_that_cannot_be_kept_is_refused(line: Line) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0))
    (old,) = line.memories()
    for claim, code in (("  ", "invalid_input"), ("The user's password is Grebe-41-Sluice.", "secret")):
        with pytest.raises(InvalidInput) as fault, tenant_transaction(line.engine, line.tenant) as connection:
            correct(connection, line.tenant, old["memory"], claim, line.rules, line.keys, NOW)
        assert fault.value.code == code
    assert line.current() == ["The user lives in Varde."]


def contradiction(line: Line) -> tuple[str, list[dict[str, Any]]]:
    first, second = line.turn("a1", "Account 11, as agreed.", 0), line.turn("a2", "Account 22, as agreed.", 2)
    line.take(first, second)
    for turn, value in ((first, "account 11"), (second, "account 22")):
        line.propose(
            line.proposal(turn, "bank_account", value, cardinality="single", claim=f"The user is paid on {value}.")
        )
    line.drain()
    (review,) = reading.reviews(line.engine, tenant=line.tenant)["reviews"]
    return str(review["review"]), line.memories()


def settle(line: Line, review: str, ruling: Ruling, preferred: str | None = None) -> None:
    with tenant_transaction(line.engine, line.tenant) as connection:
        resolve(connection, line.tenant, review, ruling, preferred, line.rules, NOW)


def test_until_somebody_decides_neither_side_is_current(line: Line) -> None:
    contradiction(line)
    assert line.current() == []
    assert {row["state"] for row in line.memories()} == {"stale"}


def test_a_contradiction_ends_as_people_decide(line: Line) -> None:
    review, sides = contradiction(line)
    older = next(row for row in sides if row["object"] == "account 11")
    with pytest.raises(InvalidInput):
        settle(line, review, Ruling.PREFERRED, "mem_" + "0" * 32)
    settle(line, review, Ruling.PREFERRED, older["memory"])
    assert line.current() == ["The user is paid on account 11."]
    assert reading.reviews(line.engine, tenant=line.tenant)["reviews"] == []
    with pytest.raises(Settled):
        settle(line, review, Ruling.KEPT)


@pytest.mark.parametrize(("ruling", "left"), [(Ruling.KEPT, 2), (Ruling.RETIRED, 0)])
def test_both_sides_may_be_kept_or_retired(line: Line, ruling: Ruling, left: int) -> None:
    review, _ = contradiction(line)
    settle(line, review, ruling)
    assert len(line.current()) == left


def stale_review(line: Line) -> str:
    line.take(line.turn("a1", "I live in Varde.", 0))
    (row,) = line.memories()
    with tenant_transaction(line.engine, line.tenant) as connection:
        connection.execute(sa.text("update memories set stale_since = :now"), {"now": NOW})
        connection.execute(
            sa.text("""insert into reviews (tenant, id, key, memories, reason, opened_at)
            select tenant, gen_random_uuid(), key, array[id], 'review_due', :now from memories"""),
            {"now": NOW},
        )
    assert row["state"] == "admitted" and line.current() == []
    (review,) = reading.reviews(line.engine, tenant=line.tenant)["reviews"]
    return str(review["review"])


@pytest.mark.parametrize(("ruling", "state"), [(Ruling.KEPT, "admitted"), (Ruling.RETIRED, "superseded")])
def test_a_stale_memory_is_current_again_when_somebody_keeps_it(line: Line, ruling: Ruling, state: str) -> None:
    settle(line, stale_review(line), ruling)
    assert [row["state"] for row in line.memories()] == [state]
    assert reading.reviews(line.engine, tenant=line.tenant)["reviews"] == []


def test_a_persons_correction_settles_what_would_go_to_review(line: Line) -> None:
    line.take(line.turn("a1", "I'm allergic to kiwis.", 0))
    (row,) = line.memories()
    with tenant_transaction(line.engine, line.tenant) as connection:
        correct(connection, line.tenant, row["memory"], "The user is allergic to quinces.", line.rules, line.keys, NOW)
    assert line.current() == ["The user is allergic to quinces."]
    assert reading.reviews(line.engine, tenant=line.tenant)["reviews"] == []


def test_a_proposal_is_as_old_as_its_turn(line: Line) -> None:
    old, new = line.turn("a1", "I live in Ghent.", 0), line.turn("a2", "I live in Antwerp now.", 9)
    line.take(old, new)
    line.propose(line.proposal(old, "lives_in", "Ghent", claim="The user lives in Ghent.", observed_at=NOW))
    line.drain()
    assert [row["object"] for row in line.memories() if row["state"] != "superseded"] == ["Antwerp"]
