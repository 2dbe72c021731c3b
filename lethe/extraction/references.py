"""What "it", "she" or "them" takes up: the one person or thing named before that it can mean, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from lethe.extraction.claims import Token, Voices, phrase
from lethe.extraction.predicates import PEOPLE, PETS, VAGUE_OBJECTS
from lethe.extraction.values import named
from lethe.extraction.words import words

Sort = Literal["person", "thing", "several"]

_SORTS: dict[str, Sort] = {
    **dict.fromkeys(("he", "him", "his", "she", "her", "hers"), "person"),
    **dict.fromkeys(("it", "its"), "thing"),
    **dict.fromkeys(("they", "them", "their"), "several"),
}
_ROLES = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr", "conj", "dative", "ROOT", "appos"})
_WOMEN = words(
    "mother mom mum mama sister daughter wife girlfriend fiancee fiancée niece aunt auntie grandmother grandma granny"
)
_MEN = words("father dad papa brother son husband boyfriend fiance fiancé nephew uncle grandfather grandpa guy")
_FEMALE, _MALE = words("she her hers"), words("he him his")
_PLAIN_NAME = re.compile(r"^[A-Z][a-zà-ÿ'’-]+$")
_NOTHING = VAGUE_OBJECTS | words(
    "time day week month year morning evening night weekend today tomorrow yesterday question advice help tip idea "
    "recommendation suggestion way case example problem issue hour minute list name plan information detail step "
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """Somebody or something that was named, worded as a claim would have it."""

    text: str
    sort: Sort
    clear: bool  # named, described, somebody's, or newly brought in as an object
    own: bool
    place: int  # token index
    verb: int  # index of the verb that governs it
    noun: str
    kind: str = ""  # what sort of thing it is, without what tells it from others of the sort


def named_in(document: Any, voices: Voices) -> Iterator[Mention]:
    """Everybody and everything that a piece names, in order; a pronoun of its own hides what stood before it."""
    for token in document:
        if token.tag_ == "PRP" and token.lower_ in _SORTS and token.dep_ != "expl":
            yield Mention("", _SORTS[token.lower_], True, True, token.i, _governor(token), "")
        related = token.dep_ == "poss" and token.lemma_.lower() in PEOPLE
        if (
            not (token.dep_ in _ROLES or related)
            or token.pos_ not in ("NOUN", "PROPN")
            or token.lemma_.lower() in _NOTHING
        ):
            continue
        if token.text == voices.you or any(letter.isdigit() for letter in token.text):
            continue
        mention = _mention(token, voices)
        if mention is not None:
            yield mention


def carried(here: Sequence[Mention], earlier: Sequence[Mention]) -> tuple[Mention, ...]:
    """What a piece names, its pronouns as what they take up from the piece before, so that the next piece can take it up in turn."""
    out = []
    for mention in here:
        meant = None if mention.text else _only([m for m in earlier if m.sort == mention.sort])
        out.append(mention if meant is None else replace(meant, place=mention.place, verb=mention.verb))
    return tuple(out)


def _mention(token: Token, voices: Voices) -> Mention | None:
    owner = next((c for c in token.children if c.dep_ == "poss"), None)
    article = next((c for c in token.children if c.dep_ == "det"), None)
    own = owner is not None and owner.lower_ in ("my", "our")
    somebodys = owner is not None and named(owner)
    plural = token.tag_ in ("NNS", "NNPS")
    if (owner is not None and not own and not somebodys) or (
        not own and article is None and not plural and not named(token)
    ):
        return None
    before = [
        t
        for t in token.subtree
        if t.i <= token.i and (t.i == token.i or t.dep_ in ("amod", "compound", "nmod", "nummod"))
    ]
    text, noun = phrase(before, voices), token.lemma_.lower()
    bare = named(token) and article is None and not own
    new = token.dep_ == "dobj" and (article is None or article.lower_ in ("a", "an", "some"))
    described = article is not None and article.lower_ in ("the", "this") and len(before) > 1
    worded = text if bare else f"{voices.me}'s {text}" if own else f"the {text}"
    if owner is not None and somebodys:
        worded = f"{phrase(list(owner.subtree), voices)} {text}"
    sort: Sort = "several" if plural else "thing"
    if bare and all(_PLAIN_NAME.match(t.text) for t in before):
        sort = "person"
    elif noun in PEOPLE and not plural:
        name = next((c for c in token.children if c.dep_ == "appos" and named(c)), None)
        worded, sort = (f"{worded} {name.text}" if name is not None else worded), "person"
    elif noun in PETS and own and not plural:
        sort = "person"
    clear = own or bare or new or described or somebodys or sort == "person"
    kind = phrase([t for t in before if t.i == token.i or t.dep_ == "compound"], voices)
    return Mention(worded, sort, clear, own, token.i, _governor(token), noun, kind)


def _governor(token: Token) -> int:
    above = token.head
    while above.pos_ not in ("VERB", "AUX") and above.head.i != above.i:
        above = above.head
    return int(above.i)


def taken_up_by(pronoun: Token, here: Iterable[Mention], earlier: Iterable[Mention]) -> str | None:
    """The wording to stand in the pronoun's place, or None where nothing or more than one thing can be meant."""
    sort = _SORTS.get(pronoun.lower_)
    if sort is None:
        return None
    governor = _governor(pronoun)
    near = [m for m in here if m.text and m.place < pronoun.i and m.verb != governor and _fits(m, sort, pronoun.lower_)]
    far = [m for m in earlier if _fits(m, sort, pronoun.lower_)]
    chosen = _only([*far, *near]) if sort == "person" else _only(near) if near else _only(far)
    if chosen is None:
        return None
    return f"{chosen.text}'s" if pronoun.tag_ == "PRP$" else chosen.text


def ones_meant(ones: Token, earlier: Iterable[Mention]) -> str | None:
    """ "I own four small ones", after a sentence about noodle bars: noodle bars."""
    counted = any(c.dep_ == "nummod" for c in ones.children)
    several = {m.kind for m in earlier if m.sort == "several" and m.text}
    return several.pop() if ones.lower_ == "ones" and counted and len(several) == 1 else None


def _fits(mention: Mention, sort: Sort, pronoun: str) -> bool:
    name = mention.sort == "person" and mention.noun not in PEOPLE and mention.noun not in PETS
    if mention.sort != sort and not (sort == "thing" and name):
        return False
    return not ((pronoun in _FEMALE and mention.noun in _MEN) or (pronoun in _MALE and mention.noun in _WOMEN))


def _only(mentions: list[Mention]) -> Mention | None:
    """The one that is meant: the only one, or the only one of the author's; nothing where it was brought in vaguely."""
    for group in (mentions, [m for m in mentions if m.own]):
        if len({m.text for m in group}) == 1:
            return group[-1] if group[-1].text and group[-1].clear else None
    return None
