"""Text as it reads, whatever characters it is made of: what looks like a letter is that letter, what is not seen is left out."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_LIKE_LATIN = str.maketrans(
    "АВЕКМНОРСТХУІЈЅаеорсухіјѕԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαινρυ", "ABEKMHOPCTXYIJSaeopcyxijsdhqwABEZHIKMNOPTYXoaivpu"
)
# What shows nothing and is no format character: joiners, fillers, variation selectors.
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0") | {
    chr(0xFE00 + n) for n in range(16)
}


@dataclass(frozen=True, slots=True)
class Plain:
    """A text as it reads; `places[i]`: where its i-th character stands in the text that it was made of."""

    text: str
    places: tuple[int, ...] | None  # None: nothing was changed
    length: int

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the first text that stand behind start..end, unseen ones among them included."""
        if self.places is None or end <= start:
            return start, end
        return self.places[start], self.places[end] if end < len(self.places) else self.length


@lru_cache(maxsize=512)
def plain(text: str) -> Plain:
    """Compatibility forms composed (NFKC), what is not seen left out, look-alikes inside Latin words made Latin."""
    if text.isascii():
        return Plain(text, None, len(text))
    letters, places = [], []
    for place, letter in enumerate(text):
        if letter in _UNSEEN or unicodedata.category(letter) == "Cf":
            continue
        for each in unicodedata.normalize("NFKC", letter):
            letters.append(each)
            places.append(place)
    read = _without_look_alikes("".join(letters))
    return Plain(read, None, len(text)) if read == text else Plain(read, tuple(places), len(text))


def as_it_reads(text: str) -> str:
    """The text alone."""
    return plain(text).text


def as_latin(text: str) -> str:
    """The same with every look-alike made Latin: for words of which only Latin ones count."""
    return as_it_reads(text).translate(_LIKE_LATIN)


def _without_look_alikes(text: str) -> str:
    """A word of Latin and look-alike letters is a Latin word; a word of another script is left as it is."""
    out, word = [], ""
    for letter in f"{text}\0":
        if letter.isalnum():
            word += letter
            continue
        mixed = any(each.isascii() and each.isalpha() for each in word) and not word.isascii()
        out += [word.translate(_LIKE_LATIN) if mixed else word, letter]
        word = ""
    return "".join(out)[:-1]
