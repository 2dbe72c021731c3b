"""The commands that read: recall, profile, memories, decisions, why, held, reviews."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from typing import Any

import click

from lethe.cli.intake import _opened
from lethe.cli.shown import Moment, day, document, entries, json_option, require, scope_options, table
from lethe.lifecycle.lines import Fault, read
from lethe.records import Kind, Outcome, Query, State


@click.command()
@click.argument("words", nargs=-1, metavar="QUERY")
@click.option("--tenant", help="Tenant.")
@click.option("--user", help="User within the tenant.")
@click.option("--project", help="Project within the tenant.")
@click.option("--task", help="Task within the scope.")
@click.option("--session", help="The session that asks; remembered for telling echoes.")
@click.option("--use", help="Only memories that may be used for this.")
@click.option("-k", type=int, help="How many at most.")
@click.option("--threshold", type=float, help="The lowest score handed out, 0 to 1.")
@click.option("--as-of", type=Moment(), help="What held at this time.")
@click.option("--batch", metavar="FILE", help="Queries, one JSON object a line; answers come one a line.")
@json_option
@click.pass_obj
def recall(services: Any, /, words: tuple[str, ...], batch: str | None, as_json: bool, **scope: Any) -> int:
    """Ask what is remembered about QUERY."""
    if batch is not None:
        require(not words, "Give either QUERY or --batch FILE, not both.")
        return _recall_batch(services, batch)
    require(bool(" ".join(words).strip()), "Give a QUERY, or --batch FILE.")
    require(scope["tenant"] is not None, "Give --tenant.")
    asked = {name: value for name, value in scope.items() if value is not None}
    answer = services.recall(_query({**asked, "query": " ".join(words)}))
    if as_json:
        document(answer)
    else:
        _show_recall(answer)
    return 0


def _query(fields: dict[str, Any]) -> Query:
    from pydantic import ValidationError

    from lethe.errors import InvalidInput
    from lethe.lifecycle.lines import explain

    try:
        return Query.model_validate(fields)
    except ValidationError as fault:
        code, message = explain(fault)
        raise InvalidInput(message, code=code) from None


def _recall_batch(services: Any, file: str) -> int:
    with _opened(file) as stream:
        items = list(read(stream, Query))
    answers = iter(services.recall_many([item[1] for item in items if not isinstance(item, Fault)]))
    status = 0
    for item in items:
        if isinstance(item, Fault):
            status = 1
            hint = "Correct this line; the others are answered."
            print(
                json.dumps({"error": {"code": item.code, "message": f"line {item.line}: {item.message}", "hint": hint}})
            )
        else:
            answer = next(answers)
            status = 1 if "error" in answer else status
            document(answer)
    sys.stdout.flush()
    return status


def _show_recall(answer: dict[str, Any]) -> None:
    reasons = {
        "no_eligible_memory": "Nothing is remembered here that may be handed out.",
        "below_threshold": "Nothing that is remembered fits the question well enough.",
    }
    nothing = reasons.get(answer["empty_reason"] or "", "Nothing.")
    _envelopes(answer["memories"], nothing, scored=True)
    withheld = ", ".join(f"{count} {reason}" for reason, count in answer["withheld"].items() if count)
    if withheld:
        print(f"Withheld: {withheld}.")


def _period(row: dict[str, Any]) -> str:
    """Since when it holds, and when it was last said where that is another day."""
    since, last = day(row["valid_from"]), day(row["observed_at"])
    return f"since {since}" if since[:10] == last[:10] else f"since {since}, last said {last}"


def _envelopes(rows: list[dict[str, Any]], nothing: str, *, scored: bool = False) -> None:
    told = [
        (
            (f"{row['score']:.2f}  " if scored else "") + row["claim"],
            [
                f"{row['kind']}, {row['state']}, {_period(row)}, from {', '.join(row['evidence'])}",
                row["memory"],
            ],
        )
        for row in rows
    ]
    entries(told, nothing=nothing)


@click.command()
@scope_options
@click.option("--session", help="The session that loads it.")
@click.option("--as-of", type=Moment(), help="What held at this time.")
@json_option
@click.pass_obj
def profile(
    services: Any,
    tenant: str,
    user: str | None,
    project: str | None,
    session: str | None,
    as_of: datetime | None,
    as_json: bool,
) -> int:
    """What is always loaded for a user: instructions, preferences and facts by key."""
    answer = services.profile(tenant=tenant, user=user, project=project, session=session, as_of=as_of)
    if as_json:
        document(answer)
    else:
        _envelopes(answer["memories"], "The profile is empty.")
    return 0


@click.command()
@scope_options
@click.option("--kind", type=click.Choice([kind.value for kind in Kind]), help="Only this kind.")
@click.option(
    "--state",
    multiple=True,
    type=click.Choice([state.value for state in State]),
    metavar="STATE [STATE …]",
    help=f"Only these states: {', '.join(state.value for state in State)}.",
)
@click.option("--all", "every", is_flag=True, help="Every state.")
@click.argument("more_states", nargs=-1, type=click.Choice([state.value for state in State]), metavar="")
@json_option
@click.pass_obj
def memories(
    services: Any,
    tenant: str,
    user: str | None,
    project: str | None,
    kind: str | None,
    state: tuple[str, ...],
    every: bool,
    more_states: tuple[str, ...],
    as_json: bool,
) -> int:
    """List stored memories; without --state or --all those that are current. `--state` takes one or more states."""
    require(not more_states or bool(state), "States follow --state.")
    answer = services.memories(
        tenant=tenant, user=user, project=project, kind=kind, states=[*state, *more_states], every=every
    )
    if as_json:
        document(answer)
    else:
        _envelopes(answer["memories"], "No memories.")
    return 0


@click.command()
@scope_options
@click.option("--turn", help="Only about this turn.")
@click.option("--outcome", type=click.Choice([outcome.value for outcome in Outcome]), help="Only this outcome.")
@json_option
@click.pass_obj
def decisions(
    services: Any,
    tenant: str,
    user: str | None,
    project: str | None,
    turn: str | None,
    outcome: str | None,
    as_json: bool,
) -> int:
    """List what the gate decided, and why."""
    answer = services.decisions(tenant=tenant, user=user, project=project, turn=turn, outcome=outcome)
    if as_json:
        document(answer)
        return 0
    rows = [
        (
            row["outcome"],
            ", ".join(row["reasons"]),
            row["claim"] or "(not kept)",
            row["session"],
            row["turn"],
            day(row["decided_at"]),
        )
        for row in answer["decisions"]
    ]
    table(("outcome", "reasons", "claim", "session", "turn", "decided"), rows, nothing="No decisions.")
    return 0


@click.command()
@click.argument("memory")
@click.option("--tenant", required=True, help="Tenant.")
@json_option
@click.pass_obj
def why(services: Any, memory: str, tenant: str, as_json: bool) -> int:
    """One memory with its evidence and history."""
    answer = services.why(tenant=tenant, memory=memory)
    if as_json:
        document(answer)
        return 0
    envelope = answer["memory"]
    print(f"{envelope['claim']}\n{envelope['kind']}, {envelope['state']}, confidence {envelope['confidence']:.2f}\n")
    table(
        ("role", "counts", "said by", "when", "session", "turn", "excerpt"),
        [
            (
                row["role"],
                "yes" if row["independent"] else "no",
                row["author"],
                day(row["observed_at"]),
                row["session"],
                row["turn"],
                row["excerpt"],
            )
            for row in answer["evidence"]
        ],
        nothing="No evidence is left.",
    )
    print()
    table(
        ("when", "change", "reason", "by", "policy"),
        [(day(row["at"]), row["change"], row["reason"], row["actor"], row["policy"]) for row in answer["history"]],
        nothing="No history.",
    )
    return 0


@click.command()
@scope_options
@json_option
@click.pass_obj
def held(services: Any, tenant: str, user: str | None, project: str | None, as_json: bool) -> int:
    """Proposals that wait: for a confirmation, for consent or for a second session."""
    answer = services.held(tenant=tenant, user=user, project=project)
    if as_json:
        document(answer)
        return 0
    rows = [
        (row["claim"], [f"{', '.join(row['reasons'])}, since {day(row['held_at'])}, from {row['turn']}", row["held"]])
        for row in answer["held"]
    ]
    entries(rows, nothing="Nothing is held.")
    return 0


@click.command()
@scope_options
@json_option
@click.pass_obj
def reviews(services: Any, tenant: str, user: str | None, project: str | None, as_json: bool) -> int:
    """Contradictions that wait for somebody to decide."""
    answer = services.reviews(tenant=tenant, user=user, project=project)
    if as_json:
        document(answer)
        return 0
    rows = [
        (
            f"{row['reason'].replace('_', ' ')}, since {day(row['opened_at'])}  {row['review']}",
            [f"{choice['memory']}  {choice['claim']}" for choice in row["choices"]],
        )
        for row in answer["reviews"]
    ]
    entries(rows, nothing="Nothing waits for review.")
    return 0
