"""What the verifier looks for: keyed hashes of the words and phrases of what is erased, never the words themselves.

Each deletion has a key of its own, so that the hashes of two deletions cannot be compared. They are kept until the
deletion is verified.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from hashlib import blake2b
from uuid import UUID

from lethe.keys import Keyring
from lethe.recall.words import terms

WIDTH = 8  # bytes of a hash
PHRASE = 4  # words
MOST = 50_000  # hashes of a sort; of more, some of every text stand for all
_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Needles:
    """Hashes of stems and of runs of `PHRASE` words, under one key."""

    key: bytes
    words: set[bytes] = field(default_factory=set)
    phrases: set[bytes] = field(default_factory=set)

    def add(self, texts: Sequence[str], *, words: bool) -> None:
        """Take in texts that are erased, each with as many of its phrases as there is room for; `words`: their words too."""
        most = max(1, MOST // max(1, len(texts)))
        runs = {phrase for text in texts for phrase in _spread(list(phrases(text)), most)}
        self.phrases.update(map(self._hash, runs))
        if words:
            self.words.update(map(self._hash, {stem for text in texts for stem in terms(text)}))

    def known(self, stems: Iterable[str]) -> set[str]:
        """Which of these stems occur in what is erased."""
        return {each for each in stems if self._hash(each) in self.words}

    def hits(self, runs: Set[str]) -> int:
        """How many of these phrases occur in what is erased."""
        return sum(self._hash(each) in self.phrases for each in runs) if self.phrases else 0

    def packed(self) -> tuple[bytes, bytes]:
        """(words, phrases) as they are stored."""
        return _pack(self.words), _pack(self.phrases)

    def _hash(self, text: str) -> bytes:
        return blake2b(text.encode(), key=self.key, digest_size=WIDTH).digest()


def needles(ring: Keyring, deletion: UUID, words: bytes = b"", phrases: bytes = b"") -> Needles:
    """The needles of a deletion, as stored."""
    return Needles(ring.mac("needles", str(deletion), key=min(ring.keys)), set(_unpack(words)), set(_unpack(phrases)))


def phrases(text: str) -> Iterator[str]:
    """Every run of `PHRASE` words of a text, without regard to case and punctuation."""
    found = _WORD.findall((text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold())
    for at in range(len(found) - PHRASE + 1):
        yield " ".join(found[at : at + PHRASE])


def _spread(found: Sequence[str], most: int) -> Sequence[str]:
    """At most so many of them, evenly spaced."""
    return found if len(found) <= most else [found[at * len(found) // most] for at in range(most)]


def _pack(hashes: set[bytes]) -> bytes:
    return b"".join(sorted(hashes)[:MOST])


def _unpack(packed: bytes) -> Iterator[bytes]:
    return (packed[at : at + WIDTH] for at in range(0, len(packed), WIDTH))
