"""`lethe export` for people: what is kept about one person, readable from top to bottom."""

from __future__ import annotations

from typing import Any

from lethe.cli.shown import day, table


def show(answer: dict[str, Any]) -> None:
    """Print the document of `lethe export`."""
    print(f"What is kept about {answer['user']} ({answer['tenant']}), {day(answer['exported_at'])}\n")
    print("Memories")
    for item in answer["memories"]:
        _memory(item)
    print("\nWaiting for an answer")
    rows = [(row["ask"], ", ".join(row["reasons"]), day(row["held_at"])) for row in answer["held"]]
    table(("question", "waits for", "since"), rows, nothing="Nothing.")
    print("\nDecisions")
    decided = [
        (row["outcome"], ", ".join(row["reasons"]), row["claim"] or "(not kept)", row["turn"])
        for row in answer["decisions"]
    ]
    table(("outcome", "reasons", "claim", "turn"), decided, nothing="None.")
    print("\nTurns")
    said = [
        (day(row["observed_at"]), row["author"], row["text"] or "(text erased)", row["turn"]) for row in answer["turns"]
    ]
    table(("when", "by", "text", "turn"), said, nothing="None.")
    print(f"\nHanded out {len(answer['handed_out'])} times; {len(answer['deletions'])} deletions.")


def _memory(item: dict[str, Any]) -> None:
    envelope = item["memory"]
    until = envelope["expires_at"] or envelope["review_after"]
    print(f"- {envelope['claim']}")
    print(
        f"  {envelope['kind']}, {envelope['state']}, confidence {envelope['confidence']:.2f}, kept until {day(until)} or longer"
    )
    print(f"  for {', '.join(envelope['allowed_uses']) or 'no use'}")
    for source in item["evidence"]:
        print(
            f"  {source['role']}: {source['author']}, {day(source['observed_at'])}, {source['excerpt'] or '(text erased)'}"
        )
    for event in item["history"]:
        print(f"  {day(event['at'])} {event['change']} ({event['reason']})")
