"""Base forms of English words, by endings and a list of what is irregular."""

from __future__ import annotations

from policies.grounds import word_set

_IRREGULAR = """
go went gone; come came; run ran; see saw seen; eat ate eaten; drink drank drunk; give gave given; take took taken;
get got gotten; make made; say said; tell told; know knew known; think thought; buy bought; bring brought; teach taught;
catch caught; fight fought; find found; hold held; sit sat; stand stood; lie lying lay lain; die dying; tie tying; sleep slept;
keep kept; leave left; feel felt; meet met; lead led; feed fed; write wrote written; ride rode ridden; drive drove driven;
speak spoke spoken; break broke broken; choose chose chosen; wake woke woken; wear wore worn; tear tore torn;
throw threw thrown; grow grew grown; fly flew flown; draw drew drawn; blow blew blown; sing sang sung; swim swam swum;
begin began begun; ring rang rung; fall fell fallen; win won; build built; send sent; spend spent; lend lent; lose lost;
sell sold; pay paid; hear heard; become became; hide hid hidden; shake shook shaken; steal stole stolen; dig dug; hang hung;
swing swung; spin spun; shoot shot; light lit; slide slid; mean meant
"""
_PLURALS = """
man men; woman women; child children; foot feet; tooth teeth; mouse mice; goose geese; wolf wolves; knife knives;
wife wives; leaf leaves; shelf shelves; half halves; loaf loaves; scarf scarves; person persons; potato potatoes; tomato tomatoes;
"""
_AS_IT_IS = word_set(
    "evening morning during thing something nothing anything everything ceiling wedding building always perhaps series "
    "species unless hundred sacred stadium physics tennis glasses news lens"
)
_UNCHANGED = word_set("cut put hit shut set read hurt let spread cast split quit bet shed")
_PRESENT = word_set("lying dying tying")


def _forms() -> dict[str, str]:
    lines = [each.split() for each in (_IRREGULAR + ";" + _PLURALS).replace("\n", " ").split(";") if each.strip()]
    return {form: first for first, *others in lines for form in others}


_FORMS = _forms()
_PLURAL_FORMS = frozenset(form for form in _PLURALS.replace(";", " ").split() if form in _FORMS)
IRREGULAR_PAST = (
    frozenset(form for line in _IRREGULAR.replace("\n", " ").split(";") for form in line.split()[1:]) - _PRESENT
)


def base(word: str) -> str:
    """A stem that the forms of one lower-case word share: "riding", "rode" and "ride" give "rid"."""
    word = _FORMS.get(word, word)
    if len(word) < 4 or word in _AS_IT_IS:
        return word
    for ending in ("ing", "ed"):
        if word.endswith(ending) and not word.endswith("eed"):
            rest = word[: -len(ending)]
            if len(rest) > 1 and _has_vowel(rest):
                return rest[:-1] + "y" if rest.endswith("i") and len(rest) > 2 else _plain_end(rest)
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return _plain_end(word[:-2])
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return _plain_end(word[:-1])
    return _plain_end(word)


def phrase_base(phrase: str) -> str:
    """The same for words joined by "_"."""
    return "_".join(base(part) for part in phrase.split("_"))


def is_participle(word: str) -> bool:
    """May it follow a form of "be" as a passive?"""
    return word in _UNCHANGED or is_past(word)


def is_past(word: str) -> bool:
    """Is it a past form or a participle?"""
    return word in IRREGULAR_PAST or (len(word) > 4 and word.endswith("ed") and not word.endswith("eed"))


def is_plural(word: str) -> bool:
    """Does it look like the plural of a noun?"""
    return word in _PLURAL_FORMS or (len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")))


def _has_vowel(text: str) -> bool:
    return any(letter in "aeiouy" for letter in text)


def _plain_end(stem: str) -> str:
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiou":
        return stem[:-1]
    return stem.rstrip("e") if len(stem) > 3 else stem
