"""What a word is made of in any script, and the signs beside words that change what is said: "-5", "<", "AB-", "👎", "ann_b"."""

from __future__ import annotations

import re
import unicodedata
from itertools import chain

_SCANNED = (
    range(0x3400),
    range(0xA000, 0xAC00),
    range(0xF900, 0x12000),
    range(0x16800, 0x17000),
    range(0x1BC00, 0x20000),
)


def _classes(but: str) -> tuple[str, str]:
    """Combining marks and signs, each as the inside of a bracket expression."""
    marks: list[str] = []
    signs: list[str] = []
    for letter in map(chr, chain(*_SCANNED)):
        category = unicodedata.category(letter)
        if category[0] == "M" and letter not in but:
            marks.append(letter)
        elif category in ("So", "Sm", "Sc") and letter not in but:
            signs.append(letter)
    return _ranges(marks), _ranges(signs)


def _ranges(letters: list[str]) -> str:
    runs: list[list[str]] = []
    for letter in letters:
        if runs and ord(runs[-1][1]) == ord(letter) - 1:
            runs[-1][1] = letter
        else:
            runs.append([letter, letter])
    return "".join(f"{re.escape(low)}-{re.escape(high)}" for low, high in runs)


_LOOKS = "\ufe0e\ufe0f"  # the same sign drawn plain or coloured
_LOOK = re.compile(f"[{_LOOKS}]")
_DASHES = str.maketrans({"−": "-", "﹣": "-", "－": "-", "⁻": "-"})
_MARKS, _SIGNS = _classes(but=_LOOKS + "$€£")
_MARKS += "\u200c\u200d"
_TONES = "\U0001f3fb-\U0001f3ff"

LETTERS = rf"(?:[^\W\d_][{_MARKS}]*)+"  # a word of one script, with its combining marks
WORDS = rf"(?:[^\W_][{_MARKS}]*)+"  # a word that may have digits in it
NAMED = rf"(?:[^\W_][{_MARKS}]*)*_(?:\w[{_MARKS}]*)*"  # a word with underscores: a login, a variable
ENDING = r"(?:[+#]+|-(?=$|[\s.,;:!?)\]]))"  # the sign of a value: "AB-", "C++", "F#"
SIGNED = r"(?<![\w)\].,%+-])(?:[-–−+±](?=[$€£]?\.?\d))?(?:(?<![\w.])\.(?=\d))?"  # before a number
SYMBOL = rf"[{_SIGNS}][{_SIGNS}{_TONES}\u200d]*|(?<!\S)-(?!\S)"  # emoji, comparison signs, a sign that stands alone


def even(text: str) -> str:
    """A text with one minus sign and without marks that only say how a sign is drawn."""
    return _LOOK.sub("", text).translate(_DASHES)
