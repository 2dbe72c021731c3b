"""From proposals to memories on a real database: evidence, supersession, precedence, and what a crash or a race leaves."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.lifecycle.gate import judge_keys
from lethe.rules import Rules
from lethe.store import work
from lethe.store.database import connect, tenant_transaction
from tests.conftest import Database
from tests.integration.forgetting_line import days, run
from tests.integration.line import NOW, Line, in_pieces


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> Line:
    return Line(engine, rules, keys)


def test_the_same_fact_in_other_words_is_one_memory_with_two_sources(line: Line) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0), line.turn("a2", "My home is in Varde.", 5))
    (row,) = line.memories()
    assert (row["state"], row["evidence"]) == ("reinforced", ["a1", "a2"])
    assert row["confidence"] > 0.9


def test_a_repeat_in_the_same_session_is_kept_without_counting(line: Line) -> None:
    line.take(line.turn("a1", "I commute by ferry.", 0), line.turn("a2", "I commute by ferry.", 0.1, session="s0"))
    (row,) = line.memories()
    assert (row["state"], row["evidence"]) == ("admitted", ["a1"])
    assert line.reasons("a2") == [("reject", ["duplicate"])]


def test_every_proposal_has_exactly_one_decision_and_every_memory_its_evidence(line: Line) -> None:
    line.take(*(line.turn(f"a{n}", text, n) for n, text in enumerate(TALK)))
    with tenant_transaction(line.engine, line.tenant) as connection:
        undecided = connection.execute(
            sa.text("""select count(*) from proposals p where
            (select count(*) from decisions d where d.tenant = p.tenant and d.proposal = p.id) <> 1""")
        ).scalar_one()
        orphans = connection.execute(
            sa.text("""select count(*) from memories m where not exists (select from evidence e join proposals p
            on p.tenant = e.tenant and p.id = e.proposal where e.tenant = m.tenant and e.memory = m.id and e.role = 'source')""")
        ).scalar_one()
    assert (undecided, orphans) == (0, 0)


def test_an_explicit_proposal_stands_above_the_extractors_whichever_came_first(line: Line) -> None:
    turn = line.turn("a1", "I keep my bees behind the chapel.", 0)
    line.take(turn)
    line.propose(
        line.proposal(turn, "hive_location", "behind the chapel", claim="The user keeps bees behind the chapel.")
    )
    line.drain()
    assert [row["predicate"] for row in line.memories()] == ["hive_location"]

    other = line.turn("b1", "I keep my geese beside the millpond.", 1)
    line.push(other)
    line.propose(
        line.proposal(other, "geese_location", "beside the millpond", claim="The user keeps geese beside the millpond.")
    )
    line.drain()
    assert sorted(row["predicate"] for row in line.memories()) == ["geese_location", "hive_location"]


def test_a_refused_explicit_proposal_takes_nothing_from_what_the_user_said(line: Line) -> None:
    turn = line.turn("a1", "I live in Varde.", 0)
    line.take(turn)
    line.propose(line.proposal(turn, "lives_in", "Varde", claim="The user lives in Varde.", confidence=0.3))
    line.drain()
    assert line.current() == ["The user lives in Varde."]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_proposals_that_differ_in_anything_are_two_and_their_order_does_not_matter(
    line: Line, order: tuple[int, int]
) -> None:
    turn = line.turn("a1", "The oboe, and one boat, as before.", 0)
    line.take(turn)
    both = [line.proposal(turn, "plays", "the oboe", confidence=confidence) for confidence in (0.5, 0.95)]
    for number in order:
        line.propose(both[number])
        line.drain()
    assert [row["confidence"] for row in line.memories()] == [0.95]


def test_a_secret_in_a_predicate_is_refused_and_kept_nowhere(line: Line) -> None:
    turn = line.turn("a1", "The oboe, and one boat, as before.", 0)
    line.take(turn)
    line.propose(line.proposal(turn, "password is Grebe-41-Sluice", "one boat", claim="The user owns one boat."))
    line.drain()
    assert line.memories() == []
    with tenant_transaction(line.engine, line.tenant) as connection:
        kept = connection.execute(sa.text("select p::text from proposals p")).scalars().all()
    assert not any("Grebe-41-Sluice" in row for row in kept)


def test_a_tool_or_a_document_proposes_nothing_of_a_persons_turn(line: Line) -> None:
    turn = line.turn("a1", "I play the oboe.", 0)
    line.take(turn)
    line.propose(line.proposal(turn, "owns", "an oboe", claim="The user owns an oboe.", proposed_by="document"))
    line.drain()
    assert ("reject", ["untrusted_source"]) in line.reasons("a1")


@pytest.mark.parametrize("text", ["Actually, I am not allergic to nuts.", "I am not allergic to nuts, actually."])
def test_a_denial_of_high_consequence_opens_a_review_wherever_its_cue_stands(line: Line, text: str) -> None:
    line.take(line.turn("a1", "I am allergic to nuts.", 0), line.turn("a2", text, 3))
    assert line.reasons("a2") == [("review", ["conflict_needs_review"])]


def test_an_order_that_was_changed_replaces_the_former(line: Line) -> None:
    line.take(
        line.turn("a1", "Always send my reports as PDF.", 0),
        line.turn("a2", "Actually, please send my reports as CSV instead of PDF.", 3),
    )
    assert [row["object"] for row in line.memories(every=False)] == ["reports as CSV"]


def test_a_move_replaces_where_somebody_lived(line: Line) -> None:
    line.take(line.turn("a1", "I live in Lahti.", 0), line.turn("a2", "I moved to Oulu last week.", 9))
    assert [row["object"] for row in line.memories(every=False) if row["predicate"] == "lives_in"] == ["Oulu"]


def test_a_secret_among_the_names_of_a_proposal_is_refused(line: Line) -> None:
    turn = line.turn("a1", "I play the oboe.", 0)
    line.take(turn)
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    taken = line.propose(line.proposal(turn, "plays", "the oboe", proposed_by=token))
    assert [(refused.code, token in refused.message) for refused in taken.refused] == [("secret", False)]


def test_no_agent_confirms_by_itself(line: Line) -> None:
    turn = line.turn("a1", "The oboe suits me.", 0)
    line.take(turn)
    line.propose(line.proposal(turn, "plays", "the oboe", claim="The user plays the oboe.", basis="confirmed"))
    line.drain()
    assert [row["basis"] for row in line.memories() if row["predicate"] == "plays"] == ["stated"]


def test_concurrent_pushes_of_the_same_turns_neither_deadlock_nor_lose_one(line: Line) -> None:
    turns = [line.turn(f"t{n:03}", f"I own boat number {n}.", n / 100, session=f"s{n}") for n in range(200)]

    def push(seed: int) -> int:
        mixed = list(turns)
        random.Random(seed).shuffle(mixed)
        return sum(line.push(*mixed[start : start + 40]).accepted for start in range(0, len(mixed), 40))

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(push, range(6))) == len(turns)


def test_a_proposal_without_its_turn_is_refused(line: Line) -> None:
    turn = line.turn("never-pushed", "I play the trombone.", 0)
    taken = line.propose(line.proposal(turn, "plays", "trombone"))
    assert [refused.code for refused in taken.refused] == ["no_provenance"]
    line.drain()
    assert line.memories() == []


def test_a_proposal_may_name_the_memory_that_it_replaces(line: Line) -> None:
    turn = line.turn("a1", "I row in the blue boat.", 0)
    line.take(turn)
    (old,) = line.memories()
    later = line.turn("a2", "The red one, from today.", 3)
    line.push(later)
    taken = line.propose(
        line.proposal(later, "boat", "the red boat", claim="The user rows in the red boat.", supersedes=old["memory"])
    )
    assert taken.accepted == 1
    line.drain()
    rows = {row["object"]: row for row in line.memories()}
    assert rows["the red boat"]["state"] == "admitted"
    assert (
        next(row for value, row in rows.items() if "blue" in value)["superseded_by"] == rows["the red boat"]["memory"]
    )


def test_a_question_that_arrives_after_its_answer_is_still_read_with_it(line: Line) -> None:
    question = line.turn("a1", "Which laptop do you use for work?", 0, author="assistant")
    answer = line.turn("a2", "A Framework 13.", 0.01, session="s0")
    line.take(answer)
    assert line.memories() == []
    line.take(question)
    (row,) = line.memories()
    assert "laptop" in row["claim"]
    assert "Framework 13" in row["claim"]


def test_history_tells_each_change_and_holds_no_text(line: Line) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0), line.turn("a2", "I live in Lund now.", 5))
    with tenant_transaction(line.engine, line.tenant) as connection:
        rows = connection.execute(sa.text("select change, reason, actor, policy, detail::text from events")).all()
    assert {row.change for row in rows} >= {"admitted", "superseded"}
    assert not any("Varde" in str(row) or "Lund" in str(row) for row in rows)


def test_judging_again_changes_nothing(line: Line) -> None:
    line.take(*(line.turn(f"a{n}", text, n) for n, text in enumerate(TALK)))
    before, versions = line.shape(), _versions(line)
    with tenant_transaction(line.engine, line.tenant) as connection:
        keys = connection.execute(sa.text("select distinct key from proposals")).scalars().all()
        work.enqueue(connection, work.GATE, line.tenant, keys, NOW)
    line.drain()
    assert line.shape() == before
    assert _versions(line) == versions


def _versions(line: Line) -> list[tuple[object, ...]]:
    with tenant_transaction(line.engine, line.tenant) as connection:
        return [
            tuple(row)
            for row in connection.execute(sa.text("select id, version, changed_at from memories order by id"))
        ]


# --- invariant 5: order, repetition, batches, crashes, concurrency ---------------------------------------------------

TALK = [
    "I live in Varde.",
    "I prefer black tea.",
    "I keep two donkeys.",
    "I live in Lund now.",
    "I prefer black tea.",
    "Actually, I prefer green tea now, not black tea.",
    "My home is in Lund.",
    "I no longer keep two donkeys.",
    "I play the zither.",
    "Should I learn Greek?",
    "I can't stand liquorice.",
    "I play the zither in a band.",
]


@pytest.fixture(scope="module")
def one_database(home: object, rules: Rules) -> Iterator[Engine]:
    """One database for all examples of a property; each has a tenant of its own."""
    from lethe.embedded import postgres
    from lethe.embedded.places import Home

    assert isinstance(home, Home)
    import psycopg

    with psycopg.connect(postgres.admin_url(home, "postgres"), autocommit=True) as connection:
        connection.execute("create database property template lethe")
    made = connect(postgres.database_url(home).replace("/lethe?", "/property?"))
    yield made
    made.dispose()
    with psycopg.connect(postgres.admin_url(home, "postgres"), autocommit=True) as connection:
        connection.execute("drop database property with (force)")


_tenants = iter(range(1_000_000))


def fresh(engine: Engine, rules: Rules) -> Line:
    return Line(engine, rules, Keyring("1", {"1": b"k" * 32}), tenant=f"tenant{next(_tenants)}")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_order_repetition_and_batching_end_in_the_same_memories(
    one_database: Engine, rules: Rules, data: st.DataObject
) -> None:
    yardstick, other = fresh(one_database, rules), fresh(one_database, rules)
    for number, text in enumerate(TALK):
        yardstick.take(yardstick.turn(f"t{number:02}", text, number))
    order = data.draw(st.permutations(range(len(TALK))))
    again = data.draw(st.lists(st.sampled_from(range(len(TALK))), max_size=4))
    sizes = data.draw(st.lists(st.integers(1, 5), max_size=5))
    turns = [other.turn(f"t{number:02}", TALK[number], number) for number in [*order, *again]]
    for piece in in_pieces(turns, sizes):
        other.push(*piece)
        if data.draw(st.booleans()):
            other.extract(data.draw(st.integers(1, 4)))
        if data.draw(st.booleans()):
            other.judge(data.draw(st.integers(1, 4)))
    other.drain()
    assert other.shape() == yardstick.shape()


def test_sixteen_gates_on_one_owner_lose_nothing_and_never_deadlock(line: Line, database: Database) -> None:
    turns = [line.turn(f"t{n:03}", f"I live in Town{n % 7}.", n / 10, session=f"s{n}") for n in range(40)]
    turns += [line.turn(f"u{n:03}", f"I play the instrument{n % 9}.", n / 10, session=f"s{n}") for n in range(40)]
    line.push(*turns)
    while line.extract():
        pass
    engine = connect(database.url, pool_size=16)
    failures: list[BaseException] = []
    barrier = threading.Barrier(16)

    def gate() -> None:
        barrier.wait()
        while claimed := work.claim(engine, work.GATE, NOW, 1):
            judge_keys(engine, claimed, line.rules, line.keys, NOW)
            with tenant_transaction(engine, line.tenant) as connection:  # the same keys again: others are at them now
                keys = connection.execute(sa.text("select distinct key from proposals")).scalars().all()
                if connection.execute(sa.text("select count(*) from events")).scalar_one() < 60:
                    work.enqueue(connection, work.GATE, line.tenant, keys, NOW)

    with ThreadPoolExecutor(16) as pool:
        for done in [pool.submit(gate) for _ in range(16)]:
            if fault := done.exception():
                failures.append(fault)
    engine.dispose()
    assert failures == []
    concurrent = line.shape()

    calm = Line(line.engine, line.rules, line.keys, tenant="calm")
    calm.push(*(turn.model_copy(update={"tenant": "calm"}) for turn in turns))
    calm.drain()
    assert concurrent == calm.shape()


@pytest.mark.parametrize(
    "statement", ["insert into memories", "insert into evidence", "insert into decisions", "delete from work"]
)
def test_a_gate_that_dies_at_any_statement_leaves_all_or_nothing(line: Line, statement: str) -> None:
    line.push(line.turn("a1", "I live in Varde.", 0), line.turn("a2", "I live in Lund now.", 5))
    while line.extract():
        pass
    claimed = work.claim(line.engine, work.GATE, NOW, 10)
    assert claimed

    def die(_connection: object, _cursor: object, text: str, *_: object) -> None:
        if statement in text:
            raise KeyboardInterrupt

    sa.event.listen(line.engine, "before_cursor_execute", die)
    with pytest.raises(KeyboardInterrupt):
        judge_keys(line.engine, claimed, line.rules, line.keys, NOW)
    sa.event.remove(line.engine, "before_cursor_execute", die)
    assert line.memories() == []
    line.now = NOW + work.LEASE
    line.drain()
    assert [
        (row["object"], row["state"]) for row in sorted(line.memories(), key=lambda row: str(row["valid_from"]))
    ] == [
        ("Varde", "superseded"),
        ("Lund", "admitted"),
    ]


@pytest.mark.parametrize(
    ("predicate", "ours", "theirs"),
    [
        ("account_plan", "The account plan of the user is Basic.", "The account plan of the user is Premium."),
        ("invoice_total", "The invoice total is 120 euros.", "The invoice total is 90 euros."),
    ],
)
def test_a_newer_word_against_a_verified_outcome_goes_to_review_by_default(
    line: Line, predicate: str, ours: str, theirs: str
) -> None:
    told = line.turn("a", ours, 0, author="tool", verified=True)
    said = line.turn("b", theirs, 1)
    line.push(told, said)
    line.propose(
        line.proposal(told, predicate, ours.split(" is ")[1].strip("."), claim=ours, basis="observed"),
        line.proposal(said, predicate, theirs.split(" is ")[1].strip("."), claim=theirs),
    )
    line.drain()
    assert ("review", ["conflict_needs_review"]) in line.reasons("b")
    assert {row["predicate"] for row in line.memories(every=True) if row["superseded_by"]} == set()


# --- secrets of proposals -----------------------------------------------------------------------------------------


def everything(line: Line) -> str:
    """All that is stored of turns, proposals, decisions and memories, as text."""
    with tenant_transaction(line.engine, line.tenant) as connection:
        rows = [
            str(row)
            for table in ("turns", "proposals", "decisions", "memories")
            for row in connection.execute(sa.text(f"select cast(r as text) from {table} r")).scalars()
        ]
    return " ".join(rows)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("I set it up.", {"predicate": "password", "value": "hunter2Zz!9", "claim": "The user's password is hunter2Zz!9."}),
        ("I set it up.", {"predicate": "router_password", "value": "hunter2Zz!9", "claim": "The user takes hunter2Zz!9."}),
        ("I set it up.", {"predicate": "api_key", "value": "hunter2Zz!9", "claim": "The user has hunter2Zz!9."}),
        ("I set it up.", {"predicate": "AKIAIOSFODNN7EXAMPLE", "value": "hunter2Zz!9", "claim": "The user has one."}),
    ],
    ids=["claim", "predicate and object", "key", "predicate alone"],
)  # fmt: skip
def test_nothing_of_a_proposal_with_a_secret_is_stored(line: Line, text: str, fields: dict[str, str]) -> None:
    said = line.turn("t1", text)
    line.push(said)
    line.propose(line.proposal(said, fields["predicate"], fields["value"], claim=fields["claim"]))
    line.drain()
    assert line.memories() == []
    assert "hunter2" not in everything(line) and "AKIA" not in everything(line)
    assert "secret" in everything(line)


def test_a_preference_among_ways_to_log_in_is_no_secret(line: Line) -> None:
    line.push(line.turn("t1", "I prefer passkeys to passwords."))
    line.drain()
    assert len(line.memories()) == 1


def test_of_a_refused_proposal_the_predicate_goes_with_the_text_too(line: Line) -> None:
    said = line.turn("t1", "Something about Varde.")
    line.push(said)
    line.propose(line.proposal(said, "is secretly in love with Odalys", "Varde", confidence=0.1))
    line.drain()
    assert "Odalys" in everything(line)
    run(line, "purge", days(60))
    assert "Odalys" not in everything(line)
