"""GDPRbench's controller, customer and processor on our operations, by 8 concurrent clients, every answer checked.

Proportions are those of the workload files `gdpr_controller`, `gdpr_customer` and `gdpr_processor` in GDPRbench/GDPRbench
(src/workloads, commit 94d399c): controller, uniform: 25% inserts, 25% deletes, 25% updates of metadata by purpose, 25% by user;
customer, zipfian: 20% each of reads, updates and deletes, 10% each of reading and of updating metadata by purpose and by user;
processor, uniform: 20% reads, 40% reads of metadata by purpose, 40% by user. What each is here:

| GDPRbench                 | here                                                                                           |
|---------------------------|------------------------------------------------------------------------------------------------|
| insert                    | push a turn, and wait until its memory is listed                                               |
| read by key               | recall; whatever is handed out must stand now, and the record must be found                    |
| read metadata by purpose  | recall for a `use`; and the decision on the record's turn                                      |
| read metadata by user     | export of the person: every memory that stands, no word of what was forgotten                  |
| update by key             | correct                                                                                        |
| update metadata by purpose| pin or unpin the record, seen in `why`                                                         |
| update metadata by user   | pin or unpin all records of the person                                                         |
| delete by key             | forget the memory; one in five by its turn, one in ten the whole user; `why` and the list at once |
| verify                    | (the regulator's) a receipt for each deletion, verified and signed in the end                  |

*Without the guarantees* a delete takes the rows of the record (turn, proposals, decisions, evidence, memory, vector) out in one
transaction and raises the owner's revision: no tombstone, no erasure of queue, cache, raw bytes and log, no verification, no
receipt, and what the record had replaced does not come back. All else is the same.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from lethe import clock
from lethe.bench.gdpr_people import THINGS, Person, Record, Wrong, must, new_name
from lethe.bench.private import private_instance, rounded
from lethe.client.client import Lethe
from lethe.lifecycle.deletion.receipts import Deleted
from lethe.store.database import tenant_transaction

CLIENTS = 8
PEOPLE = 4  # a client
RECORDS = 6  # a person, at the start
PATIENCE_S = 120.0

Mix = dict[str, float]
MIXES: dict[str, Mix] = {
    "controller": {"insert": 0.25, "delete": 0.25, "update_meta_purpose": 0.25, "update_meta_user": 0.25},
    "customer": {
        "read": 0.2, "read_meta_purpose": 0.1, "read_meta_user": 0.1, "update": 0.2, "update_meta_purpose": 0.1,
        "update_meta_user": 0.1, "delete": 0.2,
    },
    "processor": {"read": 0.2, "read_meta_purpose": 0.4, "read_meta_user": 0.4},
}  # fmt: skip
ZIPFIAN = ("customer",)


def measure(services: Any, *, repeat: int, **_: Any) -> dict[str, Any]:
    """Operations a second of each mix, with the guarantees and without; answers checked and wrong."""
    found: dict[str, Any] = {}
    with private_instance(services) as client:
        for mix in MIXES:
            found[mix] = {
                "with": run(client, mix, operations=repeat, seed=7),
                "without": run(client, mix, operations=repeat, seed=7, guarantees=False),
            }
    return {"clients": CLIENTS, **found}


def run(
    client: Lethe, mix: str, *, operations: int, seed: int, guarantees: bool = True, people: int = PEOPLE
) -> dict[str, Any]:
    """`operations` of a mix in all, on people of their own; then every deletion must be verified and everything seen once more."""
    tenant = f"gdpr-{mix}-{seed}-{'with' if guarantees else 'without'}"
    clients = [_Client(client, tenant, mix, number, seed, guarantees, people) for number in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(_Client.load, clients))
        began = time.perf_counter()
        list(pool.map(lambda each: each.work(operations // CLIENTS), clients))
        seconds = time.perf_counter() - began
        list(pool.map(_Client.finish, clients))
    answers = sum(each.answers for each in clients)
    wrong = [fault for each in clients for fault in each.wrong]
    return {
        "per_second": rounded(operations / seconds),
        "answers_checked": answers,
        "answers_wrong": len(wrong),
        "deletions_verified": sum(len(each.deletions) for each in clients),
        "first_wrong": "; ".join(wrong[:5]) or "none",
    }


@dataclass(slots=True)
class _Client:
    """One thread's part: its people, what it has asked and what was wrong."""

    lethe: Lethe
    tenant: str
    mix: str
    number: int
    seed: int
    guarantees: bool
    size: int
    people: list[Person] = field(default_factory=list)
    deletions: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    answers: int = 0
    rolled: random.Random = field(default_factory=random.Random)
    turns: Iterator[int] = field(default_factory=itertools.count)

    def load(self) -> None:
        """The people with their records."""
        self.rolled.seed(f"{self.mix} {self.seed} {self.number}")
        self.people = [Person(f"c{self.number}p{number}") for number in range(self.size)]
        told = [(person, self._tell(person, thing)) for person in self.people for thing in THINGS[:RECORDS]]
        for person, (record, name) in told:
            self._await(person, record, name)

    def work(self, operations: int) -> None:
        names, shares = zip(*MIXES[self.mix].items(), strict=True)
        for name in self.rolled.choices(names, shares, k=operations):
            self._checked(getattr(self, f"_{name}"))

    def finish(self) -> None:
        """The regulator's part: every deletion has its signed receipt, and what must be seen is all that is seen."""
        until = time.monotonic() + PATIENCE_S
        for deletion in self.deletions:
            self._checked(partial(self._verified, deletion, until))
        for person in self.people:
            self._checked(partial(self._seen, person))

    def _checked(self, operation: Callable[[], None]) -> None:
        self.answers += 1
        try:
            operation()
        except Wrong as fault:
            self.wrong.append(str(fault))

    # --- choosing -------------------------------------------------------------------------------------------------

    def _record(self) -> tuple[Person, Record] | None:
        held = [(person, record) for person in self.people for record in person.records.values()]
        if not held:
            return None
        if self.mix not in ZIPFIAN:
            return self.rolled.choice(held)
        weights = [1 / (rank + 1) for rank in range(len(held))]
        return self.rolled.choices(held, weights)[0]

    # --- operations -----------------------------------------------------------------------------------------------

    def _insert(self) -> None:
        person = self.rolled.choice([each for each in self.people if each.free()] or self.people)
        if person.free():
            record, name = self._tell(person, self.rolled.choice(person.free()))
            self._await(person, record, name)

    def _read(self) -> None:
        self._recalled(None)

    def _read_meta_purpose(self) -> None:
        chosen = self._recalled("answering")
        if chosen is not None and len(chosen[1].versions) == 1:
            decided = self.lethe.decisions(tenant=self.tenant, user=chosen[0].name, turn=chosen[1].told[0])["decisions"]
            must([row["outcome"] for row in decided] == ["admit"], "the decision on a record is not told")

    def _recalled(self, use: str | None) -> tuple[Person, Record] | None:
        """What was just written may be missing until it is indexed: ask again. Nothing else may ever be handed out."""
        chosen = self._record()
        if chosen is None:
            return None
        person, record = chosen
        for _ in _patiently():
            found = self.lethe.recall(
                tenant=self.tenant, user=person.name, query=record.question, use=use, k=len(THINGS), threshold=0
            )["memories"]
            person.check(found, whole=False)
            if record.memory in {each["memory"] for each in found}:
                return chosen
        raise Wrong("a record is not recalled")

    def _read_meta_user(self) -> None:
        self._seen(self.rolled.choice(self.people))

    def _seen(self, person: Person) -> None:
        """The list and the export of a person say what stands, with its source, and no word of what was forgotten."""
        person.check(self.lethe.memories(tenant=self.tenant, user=person.name)["memories"], whole=True)
        if not person.records:
            return
        document = self.lethe.about(tenant=self.tenant, user=person.name)
        told = [each["memory"] for each in document["memories"]]
        person.check([each for each in told if each["state"] in ("admitted", "reinforced")], whole=True)
        must(all(each["evidence"] for each in document["memories"]), "a memory without its source")
        text = str(document)
        must(not any(name in text for name in person.forgotten), "something forgotten is in the export")

    def _update(self) -> None:
        chosen = self._record()
        if chosen is not None:
            person, record = chosen
            name = new_name(self.rolled)
            made = self.lethe.correct(
                tenant=self.tenant, memory=record.memory, claim=f"The user's {record.thing} is called {name}."
            )
            record.versions.append((made["memory"], name))
            record.pins.clear()
            person.check(self.lethe.memories(tenant=self.tenant, user=person.name)["memories"], whole=True)

    def _update_meta_purpose(self) -> None:
        chosen = self._record()
        if chosen is not None:
            self._pin(chosen[1])

    def _update_meta_user(self) -> None:
        for record in self.rolled.choice(self.people).records.values():
            self._pin(record)

    def _pin(self, record: Record) -> None:
        record.pins.append("unpinned" if record.pins[-1:] == ["pinned"] else "pinned")
        self.lethe.pin(tenant=self.tenant, memory=record.memory, pinned=record.pins[-1] == "pinned")
        history = self.lethe.why(tenant=self.tenant, memory=record.memory)["history"]
        must(
            [row["change"] for row in history if "pinned" in row["change"]][-1:] == record.pins[-1:],
            "a pin is not told",
        )

    def _delete(self) -> None:
        chosen = self._record()
        if chosen is None:
            return
        person, record = chosen
        gone = record.memory
        dice = self.rolled.random()
        if not self.guarantees:
            self._delete_rows(person, record)
        elif dice < 0.1:
            self._forget(user=person.name)
            for each in list(person.records.values()):
                while each.versions:
                    person.drop(each)
        elif dice < 0.3 and len(record.versions) == 1:
            self._forget(turn=record.told[0], session=record.told[1])
            person.drop(record)
        else:
            self._forget(memory=gone)
            person.drop(record)
        person.check(self.lethe.memories(tenant=self.tenant, user=person.name)["memories"], whole=True)
        if self.guarantees:
            try:
                self.lethe.why(tenant=self.tenant, memory=gone)
            except Deleted:
                return
            raise Wrong("what was deleted can be asked why")

    def _forget(self, **what: Any) -> None:
        self.deletions.append(self.lethe.forget(tenant=self.tenant, **what)["deletion"])

    def _verified(self, deletion: str, until: float) -> None:
        receipt = self.lethe.receipt(tenant=self.tenant, deletion=deletion)
        while receipt["state"] != "verified" and time.monotonic() < until:
            time.sleep(0.2)
            receipt = self.lethe.receipt(tenant=self.tenant, deletion=deletion)
        must(receipt["state"] == "verified" and bool(receipt["signature"]), f"{deletion} is {receipt['state']}")
        must(not any(store["remaining"] for store in receipt["stores"]), f"{deletion} left something")

    # --- writing --------------------------------------------------------------------------------------------------

    def _tell(self, person: Person, thing: str) -> tuple[Record, str]:
        name = new_name(self.rolled)
        turn, session = (f"{part}{self.number}-{next(self.turns)}" for part in "ts")
        taken = self.lethe.push(
            {
                "tenant": self.tenant, "user": person.name, "session": session, "turn": turn, "author": "user",
                "text": f"My {thing} is called {name}.", "observed_at": clock.now().isoformat(),
            }
        )  # fmt: skip
        must(taken.accepted == 1, "a turn was not taken")
        return Record(thing, (turn, session)), name

    def _await(self, person: Person, record: Record, name: str) -> None:
        for _ in _patiently():
            found = self.lethe.memories(tenant=self.tenant, user=person.name)["memories"]
            mine = [each["memory"] for each in found if name in each["claim"]]
            if mine:
                must(len(mine) == 1, "one turn made several memories")
                record.versions.append((mine[0], name))
                person.records[record.thing] = record
                return
        raise Wrong("a turn did not become a memory")

    def _delete_rows(self, person: Person, record: Record) -> None:
        """A plain delete of a record's rows, all versions; nothing is proven and nothing stands against its return."""
        named = {"tenant": self.tenant, "ids": [UUID(memory.removeprefix("mem_")) for memory, _ in record.versions]}
        with tenant_transaction(self.lethe.engine, self.tenant) as connection:
            for statement in _ROWS:
                connection.execute(statement, named)
        while record.versions:
            person.drop(record)


_OF = "select turn_id from evidence where tenant = :tenant and memory = any(:ids)"
_ROWS = [
    sa.text(statement)
    for statement in (
        """update owners o set revision = revision + 1 where tenant = :tenant and owner in (
             select owner from memories where tenant = :tenant and id = any(:ids))""",
        f"delete from decisions where tenant = :tenant and turn_id in ({_OF})",
        f"delete from turns where tenant = :tenant and id in ({_OF})",
        "delete from events where tenant = :tenant and subject = any(:ids)",
        "delete from memories where tenant = :tenant and id = any(:ids)",
    )
]


def _patiently() -> Iterator[None]:
    """Again and again, for a while."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        yield
        time.sleep(0.05)
