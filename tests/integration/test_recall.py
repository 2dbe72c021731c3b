"""Recall hands out what may be handed out, to the scope that asks, as the primary says at that moment."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.engine import Engine

from lethe.errors import InvalidInput
from lethe.ids import owner_id
from lethe.index import vectors as index
from lethe.index.vectors import index_memories
from lethe.recall import search
from lethe.recall.owner_sets import OwnerSets
from lethe.recall.search import recall, recall_many
from lethe.records import Query, Scope
from lethe.store.database import tenant_transaction
from policies.ranking import PolicyRanking
from tests.integration.recall_rows import NOW, TENANT, Rows, WordModel, days
from tests.ranking_policy import POLICY

MODEL = WordModel()
RANKING = PolicyRanking(POLICY)


@pytest.fixture
def rows(engine: Engine) -> Rows:
    search.SETS.forget()
    return Rows(engine)


def ask(rows: Rows, query: str, **fields: Any) -> dict[str, Any]:
    asked = {"tenant": TENANT, "user": "ann", "threshold": 0.1, **fields}
    return recall(rows.engine, Query(query=query, **asked), MODEL, RANKING, NOW)


def embed(rows: Rows) -> None:
    index_memories(rows.engine, TENANT, rows.made, MODEL, NOW)


def claims(answer: dict[str, Any]) -> list[str]:
    return [memory["claim"] for memory in answer["memories"]]


# --- what is found ------------------------------------------------------------------------------------------------


def test_the_best_match_comes_first_with_its_score_and_signals(rows: Rows) -> None:
    rows.memory("The user plays chess on Mondays.")
    rows.memory("The user lives in Oulu.")
    embed(rows)
    answer = ask(rows, "Where does the user live?")
    assert claims(answer) == ["The user lives in Oulu."]
    first = answer["memories"][0]
    product = 1.0
    for name in ("similarity", "scope", "confidence", "freshness"):
        product *= first["signals"][name]
    assert first["score"] == pytest.approx(product, abs=0.001)
    assert answer["empty_reason"] is None


def test_a_memory_without_a_vector_yet_competes_by_its_words(rows: Rows) -> None:
    rows.memory("The user plays chess on Mondays.")
    embed(rows)
    rows.memory("The user lives in Oulu.")
    found = ask(rows, "Where does the user live?")["memories"][0]
    assert found["claim"] == "The user lives in Oulu."
    assert "dense" not in found["signals"]


def test_k_limits_and_the_policy_says_how_many_by_default(rows: Rows) -> None:
    for name in ("Ada", "Bea", "Cleo", "Dora", "Ella"):
        rows.memory(f"The user owns the boat {name}.")
    assert len(ask(rows, "Which boat does the user own?", k=2)["memories"]) == 2
    assert len(ask(rows, "Which boat does the user own?")["memories"]) == RANKING.k


def test_nothing_is_an_answer(rows: Rows) -> None:
    assert ask(rows, "Where does the user live?")["empty_reason"] == "no_eligible_memory"
    rows.memory("The user plays chess.")
    answer = ask(rows, "Where does the user live?")
    assert (answer["memories"], answer["empty_reason"]) == ([], "below_threshold")


def test_a_threshold_of_nothing_gives_whatever_there_is(rows: Rows) -> None:
    rows.memory("The user plays chess.")
    assert claims(ask(rows, "Where does the user live?", threshold=0)) == ["The user plays chess."]


def test_newer_of_two_equal_matches_comes_first(rows: Rows) -> None:
    rows.memory("The user went to the dentist.", observed_at=days(-300), kind="episodic")
    rows.memory("The user went to the dentist.", observed_at=days(-3), kind="episodic", turn="newer")
    first, second = ask(rows, "dentist")["memories"]
    assert first["source"]["turn"] == "newer"
    assert first["signals"]["freshness"] > second["signals"]["freshness"]


def test_an_envelope_keeps_the_offset_of_what_was_said(rows: Rows) -> None:
    rows.memory("The user adopted a cat.", observed_offset=-5 * 3600)
    given = ask(rows, "cat")["memories"][0]
    assert given["observed_at"] == "2026-02-19T07:00:00-05:00"
    assert given["valid_from"] == "2026-02-19T07:00:00-05:00"
    assert given["source"] == {"turn": "t0", "session": "s1", "author": "user", "verified": False}
    assert given["scope"] == {"tenant": "acme", "user": "ann", "project": None, "task": None}


# --- what is withheld ---------------------------------------------------------------------------------------------

WITHHELD = [
    ("superseded", {"standing": "superseded", "valid_to": days(-1)}),
    ("superseded", {"valid_to": days(-1)}),
    ("retracted", {"standing": "retracted", "valid_to": days(-1)}),
    ("expired", {"expires_at": days(-1)}),
    ("expired", {"retired_as": "expired", "retired_at": days(-1)}),
    ("archived", {"retired_as": "archived", "retired_at": days(-1)}),
    ("consolidated", {"retired_as": "consolidated", "retired_at": days(-1)}),
    ("contested", {"contested": True}),
    ("use", {"allowed_uses": ["formatting"]}),
]


@pytest.mark.parametrize(("reason", "columns"), WITHHELD)
def test_what_may_not_be_handed_out_is_withheld_and_counted(rows: Rows, reason: str, columns: dict[str, Any]) -> None:
    rows.memory("The user lives in Oulu.", **columns)
    answer = ask(rows, "Where does the user live?", use="answering")
    assert claims(answer) == []
    assert answer["empty_reason"] == "no_eligible_memory"
    assert {name: count for name, count in answer["withheld"].items() if count} == {reason: 1}


def test_what_does_not_match_is_not_counted_as_withheld(rows: Rows) -> None:
    rows.memory("The user plays chess.", standing="superseded", valid_to=days(-1))
    assert not any(ask(rows, "Where does the user live?")["withheld"].values())


def test_an_invisible_memory_is_neither_handed_out_nor_counted(rows: Rows) -> None:
    rows.memory("The user lives in Oulu.", invisible_at=days(-1))
    answer = ask(rows, "Where does the user live?", threshold=0)
    assert (claims(answer), any(answer["withheld"].values())) == ([], False)


def test_without_a_use_every_use_will_do(rows: Rows) -> None:
    rows.memory("The user lives in Oulu.", allowed_uses=["formatting"])
    assert claims(ask(rows, "Where does the user live?")) == ["The user lives in Oulu."]


@pytest.mark.parametrize("columns", [{"review_after": days(-1)}, {"stale_since": days(-1)}])
def test_a_passed_review_date_is_marked_and_still_handed_out(rows: Rows, columns: dict[str, Any]) -> None:
    rows.memory("The user lives in Oulu.", **columns)
    assert [memory["state"] for memory in ask(rows, "Where does the user live?")["memories"]] == ["stale"]


def test_an_expiry_that_passed_since_the_last_question_counts_without_any_job(rows: Rows) -> None:
    rows.memory("The report is due on Friday.", expires_at=days(2))
    assert claims(ask(rows, "report", as_of=days(1)))
    assert not claims(ask(rows, "report", as_of=days(3)))


# --- as of another time -------------------------------------------------------------------------------------------


def test_a_past_question_is_answered_by_what_held_then(rows: Rows) -> None:
    rows.memory("The user lives in Oulu.", observed_at=days(-90), standing="superseded", valid_to=days(-30))
    rows.memory("The user lives in Turku.", observed_at=days(-30))
    question = "Where does the user live?"
    assert claims(ask(rows, question)) == ["The user lives in Turku."]
    past = ask(rows, question, as_of=days(-60))
    assert [(memory["claim"], memory["state"]) for memory in past["memories"]] == [
        ("The user lives in Oulu.", "admitted")
    ]
    assert claims(ask(rows, question, as_of=days(-100))) == []


def test_what_was_archived_later_was_there_before(rows: Rows) -> None:
    rows.memory("The user lives in Oulu.", observed_at=days(-90), retired_as="archived", retired_at=days(-30))
    assert claims(ask(rows, "Oulu", as_of=days(-60)))
    assert not claims(ask(rows, "Oulu", as_of=days(-20)))


def test_what_a_job_retired_as_of_a_later_day_is_retired_now(rows: Rows) -> None:
    rows.memory("The user lives in Oulu.", retired_as="archived", retired_at=days(400))
    assert not claims(ask(rows, "Oulu"))
    assert claims(ask(rows, "Oulu", as_of=days(100)))


def test_a_retracted_memory_is_not_handed_out_for_any_time(rows: Rows) -> None:
    rows.memory("The user lives in Oulu.", observed_at=days(-90), standing="retracted", valid_to=days(-30))
    assert not claims(ask(rows, "Oulu", as_of=days(-60)))


# --- scope --------------------------------------------------------------------------------------------------------


@pytest.fixture
def town(rows: Rows) -> Rows:
    """The same fact in every scope, told apart by its last word."""
    for word, scope in {
        "own": {"user": "ann"},
        "inproject": {"user": "ann", "project": "heron"},
        "shared": {"user": None, "project": "heron"},
        "elsewhere": {"user": "ann", "project": "swan"},
        "other": {"user": "bob"},
        "othershared": {"user": None, "project": "swan"},
        "intask": {"user": "ann", "task": "move"},
        "projecttask": {"user": "ann", "project": "heron", "task": "move"},
        "othertask": {"user": "ann", "task": "paint"},
    }.items():
        rows.memory(f"Commit messages are Finnish {word}.", **scope)
    return rows


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ({}, {"own"}),
        ({"project": "heron"}, {"own", "inproject", "shared"}),
        ({"user": None, "project": "heron"}, {"shared"}),
        ({"user": "bob"}, {"other"}),
        ({"user": "bob", "project": "heron"}, {"other", "shared"}),
        ({"task": "move"}, {"own", "intask"}),
        ({"project": "heron", "task": "move"}, {"own", "inproject", "shared", "intask", "projecttask"}),
        ({"user": "nobody"}, set()),
        ({"tenant": "globex"}, set()),
    ],
)
def test_a_recall_sees_its_scope_and_nothing_else(town: Rows, scope: dict[str, Any], expected: set[str]) -> None:
    found = claims(ask(town, "In which language are commit messages?", k=20, threshold=0, **scope))
    assert {claim.split()[-1].strip(".") for claim in found} == expected


def test_the_narrower_scope_ranks_first(town: Rows) -> None:
    found = ask(town, "In which language are commit messages?", project="heron", k=20)["memories"]
    assert found[0]["claim"].endswith("inproject.")
    assert [memory["signals"]["scope"] for memory in found] == sorted(
        (m["signals"]["scope"] for m in found), reverse=True
    )


def test_without_user_and_project_there_is_no_recall(rows: Rows) -> None:
    with pytest.raises(InvalidInput) as refused:
        ask(rows, "anything", user=None)
    assert refused.value.code == "scope_missing"


# --- the index proposes, the primary disposes ---------------------------------------------------------------------


def test_a_stale_owner_set_cannot_be_served(rows: Rows) -> None:
    memory = rows.memory("The user lives in Oulu.")
    assert claims(ask(rows, "Where does the user live?"))
    rows.change(memory, claim="The user lives in Turku.", version=2)
    assert claims(ask(rows, "Where does the user live?")) == ["The user lives in Turku."]


@pytest.mark.parametrize(
    "columns", [{"invisible_at": NOW}, {"retired_as": "archived", "retired_at": days(-1)}, {"contested": True}]
)
def test_a_cache_that_heard_of_no_change_hands_nothing_out_that_the_primary_refuses(
    rows: Rows, columns: dict[str, Any]
) -> None:
    memory = rows.memory("The user lives in Oulu.")
    assert claims(ask(rows, "Where does the user live?"))
    rows.change_quietly(memory, **columns)
    assert claims(ask(rows, "Where does the user live?")) == []


def test_the_score_is_what_the_primary_says_now(rows: Rows) -> None:
    memory = rows.memory("The user lives in Oulu.")
    before = ask(rows, "Oulu")["memories"][0]["score"]
    rows.change_quietly(memory, confidence=0.45)
    assert ask(rows, "Oulu")["memories"][0]["score"] == pytest.approx(before / 2, abs=0.001)


def test_sets_are_let_go_when_too_many_or_idle(town: Rows) -> None:
    small = OwnerSets(most_bytes=1)
    for user in ("ann", "bob"):
        owner = owner_id(TENANT, Scope(user))
        with tenant_transaction(town.engine, TENANT) as connection:
            first = small.get(connection, TENANT, owner, 1, MODEL.name)
            assert small.get(connection, TENANT, owner, 1, MODEL.name) is first
            assert small.get(connection, TENANT, owner, 2, MODEL.name) is not first
    assert small.expire(idle=3600) == 0
    assert small.expire(idle=-1) == 1


# --- batches ------------------------------------------------------------------------------------------------------


def test_a_batch_answers_in_order_like_one_by_one(town: Rows) -> None:
    Rows(town.engine, "globex").memory("Commit messages are Welsh.")
    queries = [
        Query(tenant=tenant, user=user, project=project, threshold=0.1, query=text)
        for text in ("Which language for commit messages?", "chess")
        for tenant, user, project in (("acme", "ann", "heron"), ("globex", "ann", None), ("acme", "bob", None))
    ]
    many = recall_many(town.engine, queries, MODEL, RANKING, NOW)
    assert many == [recall(town.engine, query, MODEL, RANKING, NOW) for query in queries]
    assert claims(many[1]) == ["Commit messages are Welsh."]


def test_an_unusable_query_does_not_spoil_its_batch(town: Rows) -> None:
    queries = [Query(tenant=TENANT, query="x"), Query(tenant=TENANT, user="ann", query="commit messages", threshold=0)]
    first, second = recall_many(town.engine, queries, MODEL, RANKING, NOW)
    assert first["error"]["code"] == "scope_missing"
    assert claims(second)


# --- large owners -------------------------------------------------------------------------------------------------


def test_above_the_switch_the_graph_finds_the_same(rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        rows.memory(f"The user noted colour{number} about item{number}.")
    rows.memory("The user lives in Oulu.")
    rows.memory("The user lived in Lahti.", standing="superseded", valid_to=days(-1))
    embed(rows)
    exact = ask(rows, "Where does the user live?")
    monkeypatch.setattr(index, "ANN_ABOVE", 10)
    monkeypatch.setattr(search, "ANN_ABOVE", 10)
    rows.made.append(rows.memory("The user lives near the harbour."))
    rows.memory("The user plays chess.", user="bob")
    rows.change(rows.made[0], version=2)
    embed(rows)
    unindexed = rows.memory("The user lives on the third floor.")
    found = ask(rows, "Where does the user live?", k=10)
    assert claims(exact) == ["The user lives in Oulu."]
    assert set(claims(found)) == {"The user lives in Oulu.", "The user lives near the harbour."}
    waits(rows, unindexed)
    assert "The user lives on the third floor." in claims(ask(rows, "Where does the user live?", k=10))


def waits(rows: Rows, memory: Any) -> None:
    from lethe.store import work
    from lethe.store.database import tenant_transaction

    with tenant_transaction(rows.engine, TENANT) as connection:
        work.enqueue(connection, work.INDEX, TENANT, [memory], NOW)


# --- whom and when a question is about ----------------------------------------------------------------------------


def test_a_question_about_somebody_else_prefers_who_is_named(rows: Rows) -> None:
    rows.memory("The user bought a kayak.", turn="own")
    rows.memory("Bea bought a kayak.", subject="Bea", turn="beas")
    first, second = ask(rows, "Which boat, a kayak, was bought by Bea?", k=2)["memories"]
    assert first["claim"] == "Bea bought a kayak."
    assert first["score"] > 1.5 * second["score"]


def test_a_question_that_names_the_user_is_about_the_user(rows: Rows) -> None:
    rows.memory("The user bought a kayak.")
    named, unnamed = (
        ask(rows, text)["memories"][0]["score"] for text in ("Has Ann bought the kayak?", "Have I bought the kayak?")
    )
    assert named == unnamed
    assert ask(rows, "Has Bea bought the kayak?")["memories"][0]["score"] < named


def test_the_users_own_name_is_what_the_user_is_called(rows: Rows) -> None:
    rows.memory("The user's name is Wilhelmina.", predicate="name", object="Wilhelmina", cardinality="single")
    rows.memory("The user bought a kayak.")
    assert ask(rows, "Has Wilhelmina bought the kayak?")["memories"][0]["claim"] == "The user bought a kayak."


def test_a_question_about_a_time_prefers_what_is_of_that_time(rows: Rows) -> None:
    rows.memory("The user swims in the lake.", kind="episodic", observed_at=days(-20), turn="recent")
    rows.memory("The user swims in the lake.", kind="episodic", observed_at=days(-250), turn="old")
    question = "Did the user swim in June 2025?"
    assert [memory["source"]["turn"] for memory in ask(rows, question, k=2)["memories"]] == ["old", "recent"]
