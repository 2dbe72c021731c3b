"""`lethe push`, `lethe propose`, `lethe retry`."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import click

from lethe.cli.shown import Command, document, json_option, table
from lethe.errors import InvalidInput
from lethe.lifecycle.intake import Taken
from lethe.lifecycle.lines import Fault, Model, read
from lethe.records import ProposalIn, Turn

CHUNK = 500
SHOWN = 10  # refused lines


def _hand_in_options(command: Command) -> Command:
    for option in (
        json_option,
        click.option("--timeout", default=600.0, show_default=True, help="Seconds to wait at most."),
        click.option("--wait", is_flag=True, help="Wait until everything handed in so far is worked off."),
        click.argument("file"),
    ):
        command = option(command)
    return command


@click.command()
@_hand_in_options
@click.pass_obj
def push(services: Any, file: str, wait: bool, timeout: float, as_json: bool) -> int:
    """Hand in turns: FILE holds one JSON object a line; "-" is standard input."""
    return _hand_in(services, file, Turn, services.push, wait, timeout, as_json, "turn")


@click.command()
@_hand_in_options
@click.pass_obj
def propose(services: Any, file: str, wait: bool, timeout: float, as_json: bool) -> int:
    """Hand in proposals: FILE holds one JSON object a line; "-" is standard input."""
    return _hand_in(services, file, ProposalIn, services.propose, wait, timeout, as_json, "proposal")


@click.command()
@json_option
@click.pass_obj
def retry(services: Any, as_json: bool) -> int:
    """Put work that was set aside after repeated failures back into its queue."""
    released = services.retry()
    if as_json:
        document({"released": released})
    else:
        print(f"{released} items are back in their queues." if released else "Nothing was set aside.")
    return 0


def _hand_in(
    services: Any,
    file: str,
    model: type[Model],
    send: Callable[[Sequence[Model]], Taken],
    wait: bool,
    timeout: float,
    as_json: bool,
    noun: str,
) -> int:
    total = Taken()
    rejected: list[Fault] = []
    with _opened(file) as stream:
        for lines, records in _chunks(stream, model, rejected):
            taken = send(records)
            total.accepted += taken.accepted
            total.duplicates += taken.duplicates
            rejected += [Fault(lines[refused.index], refused.code, refused.message) for refused in taken.refused]
    rejected.sort(key=lambda fault: fault.line)
    drained = services.wait(timeout, progress=sys.stderr.isatty()) if wait else services.pending() == 0
    answer = {
        "accepted": total.accepted,
        "duplicates": total.duplicates,
        "rejected": [fault.as_dict() for fault in rejected],
        "drained": drained,
    }
    if as_json:
        document(answer)
    else:
        _show(answer, noun, wait)
    return 1 if rejected or (wait and not drained) else 0


def _chunks(stream: BinaryIO, model: type[Model], rejected: list[Fault]) -> Iterator[tuple[list[int], list[Model]]]:
    lines: list[int] = []
    records: list[Model] = []
    for item in read(stream, model):
        if isinstance(item, Fault):
            rejected.append(item)
            continue
        lines.append(item[0])
        records.append(item[1])
        if len(records) == CHUNK:
            yield lines, records
            lines, records = [], []
    if records:
        yield lines, records


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        if sys.stdin is None:
            raise InvalidInput("Standard input is closed; name a file of JSON lines.")
        yield sys.stdin.buffer
        return
    path = Path(file)
    if path.is_dir():
        raise InvalidInput(f"{file} is a directory; name a file of JSON lines, or - for standard input.")
    try:
        stream = path.open("rb")
    except FileNotFoundError:
        raise InvalidInput(f"{file} is not there.") from None
    except OSError as fault:
        raise InvalidInput(f"{file} cannot be read: {fault.strerror}.") from None
    with stream:
        if stat.S_ISCHR(path.stat().st_mode) and not (stream.isatty() or path.samefile(os.devnull)):
            raise InvalidInput(f"{file} is a device, which never ends; name a file of JSON lines.")
        yield stream


def _show(answer: dict[str, Any], noun: str, waited: bool) -> None:
    plural = noun + ("" if answer["accepted"] == 1 else "s")
    print(
        f"{answer['accepted']} {plural} taken, {answer['duplicates']} known already, {len(answer['rejected'])} refused."
    )
    if answer["rejected"]:
        shown = answer["rejected"][:SHOWN]
        table(
            ("line", "code", "what is wrong"),
            [(row["line"], row["code"], row["message"]) for row in shown],
            nothing="",
        )
        if more := len(answer["rejected"]) - len(shown):
            print(f"… and {more} more; --json lists every one.")
    if waited:
        print(
            "Everything is worked off."
            if answer["drained"]
            else "Some of it is still being worked on: see `lethe status`."
        )
