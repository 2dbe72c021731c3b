"""The `lethe` command: commands are imported when they are called, so that `--help` answers at once."""

from __future__ import annotations

import json
import sys
import traceback
from importlib import import_module
from typing import Any

import click

from lethe.errors import LetheError

COMMANDS = {
    "up": ("lethe.cli.instance", "up", "Start the servers and workers of this instance."),
    "down": ("lethe.cli.instance", "down", "Stop this instance; its data stays."),
    "status": ("lethe.cli.instance", "status", "What runs where, what waits, what was set aside."),
    "doctor": ("lethe.cli.instance", "doctor", "Check every part and say what to do."),
    "metrics": ("lethe.cli.metrics", "metrics", "The figures of now, for a dashboard or an alarm."),
    "audit": ("lethe.cli.audit", "audit", "What should not be remembered: duplicates, echoes, secrets, loose ends."),
    "push": ("lethe.cli.intake", "push", "Hand in turns, one JSON object a line."),
    "propose": ("lethe.cli.intake", "propose", "Hand in proposals, one JSON object a line."),
    "recall": ("lethe.cli.reading", "recall", "Ask what is remembered."),
    "profile": ("lethe.cli.reading", "profile", "What is always loaded for a user."),
    "memories": ("lethe.cli.reading", "memories", "List stored memories."),
    "decisions": ("lethe.cli.reading", "decisions", "List what the gate decided, and why."),
    "why": ("lethe.cli.reading", "why", "One memory with its evidence and history."),
    "held": ("lethe.cli.reading", "held", "Proposals that wait for a confirmation."),
    "reviews": ("lethe.cli.reading", "reviews", "Contradictions that wait for somebody."),
    "confirm": ("lethe.cli.people", "confirm", "Keep a held proposal, on the user's word."),
    "decline": ("lethe.cli.people", "decline", "Refuse a held proposal for good."),
    "correct": ("lethe.cli.people", "correct", "Replace a memory by what is true."),
    "resolve": ("lethe.cli.people", "resolve", "Settle a contradiction."),
    "run": ("lethe.cli.jobs", "run", "Run a job now: expire, decay, evict, review, consolidate, purge, nightly …"),
    "forget": ("lethe.cli.deletion", "forget", "Delete for good: a memory, turn, session, user, project or tenant."),
    "receipt": ("lethe.cli.deletion", "receipt", "The receipt of a deletion, or check one."),
    "receipts": ("lethe.cli.deletion", "receipts", "Every deletion of a tenant."),
    "deletions": ("lethe.cli.deletion", "deletions", "Export the deletion ledger, or replay it on a restored backup."),
    "export": ("lethe.cli.deletion", "export", "All that is kept about a person."),
    "consolidate": ("lethe.cli.merging", "consolidate", "Merge memories that say one thing; --dry-run shows it first."),
    "consolidations": ("lethe.cli.merging", "consolidations", "Every consolidation, and what became of it."),
    "revert": ("lethe.cli.merging", "revert", "Take a consolidation back."),
    "keys": ("lethe.cli.keys", "keys", "The keys of hashes and receipts; `keys rotate` makes new ones."),
    "restore": ("lethe.cli.jobs", "restore", "Bring an archived memory back."),
    "pin": ("lethe.cli.jobs", "pin", "Pin a memory: it neither fades nor makes room."),
    "unpin": ("lethe.cli.jobs", "unpin", "Let a pinned memory go its usual way."),
    "feedback": ("lethe.cli.jobs", "feedback", "Say whether a memory helped."),
    "end-task": ("lethe.cli.jobs", "end_task", "Close a task; its own memories expire."),
    "simulate": (
        "lethe.cli.simulate",
        "simulate",
        "Live through 18 months in a minute, against remembering everything.",
    ),
    "policy": ("lethe.cli.policy", "policy", "Show or check the policy file."),
    "retry": ("lethe.cli.intake", "retry", "Try again what was set aside after repeated failures."),
    "demo": ("lethe.cli.demo", "demo", "A guided run on a small conversation."),
    "bench": ("lethe.cli.bench", "bench", "Measure this machine: ratios against bare operations."),
}


class LazyGroup(click.Group):
    """A group whose commands live in modules of their own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        found: click.Command = getattr(import_module(module), name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, _, about) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="lethe", prog_name="lethe")
def cli() -> None:
    """Lethe: a memory for LLM agents that stays small, true and forgettable."""


def run(services: Any, words: list[str] | None = None) -> int:
    """Run one command; returns the exit status. An error is one plain line, or one JSON document with --json."""
    given = sys.argv[1:] if words is None else words
    as_json = "--json" in (given[: given.index("--")] if "--" in given else given)
    try:
        found = cli.main(given, prog_name="lethe", standalone_mode=False, obj=services)
        return int(found or 0)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except LetheError as fault:
        return _tell(fault.code, fault.message, fault.hint, fault.status, as_json)
    except click.UsageError as fault:
        context = fault.ctx.command_path if fault.ctx else "lethe"
        return _tell("usage", fault.format_message(), f"See `{context} --help`.", 2, as_json)
    except click.ClickException as fault:
        return _tell("usage", fault.format_message(), "See `lethe --help`.", 2, as_json)
    except (click.Abort, KeyboardInterrupt):
        return _tell("interrupted", "Interrupted.", "Run it again to go on.", 1, as_json)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except Exception as fault:
        if refused := _no_connection(fault):
            return _tell(refused.code, refused.message, refused.hint, refused.status, as_json)
        if name := _database_fault(fault):
            return _tell("database", f"The database refused: {name}.", "`lethe doctor` checks every part.", 1, as_json)
        return _tell("unexpected", _place(fault), "This is a fault of Lethe; report it with this line.", 1, as_json)


def _place(fault: Exception) -> str:
    """What broke and where, without a value in it."""
    last = traceback.extract_tb(fault.__traceback__)[-1]
    return f"{type(fault).__name__} at {last.filename.rsplit('/', 2)[-1]}:{last.lineno}."


def _no_connection(fault: Exception) -> LetheError | None:
    """A connection that was refused, by whoever asked for it."""
    original = getattr(fault, "orig", fault)
    if type(original).__name__ != "OperationalError" or "connection" not in str(original):
        return None
    from lethe.store.database import no_connection

    return no_connection(str(original))


def _database_fault(fault: Exception) -> str | None:
    """The class of a database failure, without the statement or its values."""
    module = type(fault).__module__
    if module.startswith(("sqlalchemy", "psycopg", "redis")):
        original = getattr(fault, "orig", fault)
        return type(original).__name__
    return None


def _tell(code: str, message: str, hint: str, status: int, as_json: bool) -> int:
    if as_json:
        print(json.dumps({"error": {"code": code, "message": message, "hint": hint}}, ensure_ascii=False))
    else:
        print(f"lethe: {message.rstrip('.')}. {hint}", file=sys.stderr)
    return status
