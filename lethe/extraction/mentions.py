"""What a sentence takes for granted by naming it: "my Korg piano", "my friend Kelly", inside a request or a question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lethe.extraction.anchors import anchored
from lethe.extraction.claims import Token, Voices, phrase
from lethe.extraction.possessions import noun_of
from lethe.extraction.predicates import MANY, PEOPLE, PETS
from lethe.extraction.values import Meaning, canonical, named, slug
from lethe.extraction.words import words
from lethe.records import Kind

_VAGUE = words(
    "question problem issue code answer response message point goal idea thing way case part example "
    "understanding situation mind opinion name list plan time day week month year life head heart side "
    "turn request search attempt decision gratitude approach calculation expectation performance advice help work use choice "
    "enrollment move way focus interest experience"
)
_CALENDAR = re.compile(
    r"^(?:(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?)$",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"^[A-Z]{2,5}$")
_ATTACHED = words("of with at from on in by including like between against near to")
_LONGEST = 30  # tokens
_ROLE = re.compile(
    r"(?:[^aeiou]er|[aeu]er|or|ist|ian|eer|ant|ent|nurse|cook|fan|vegan|mum|mom|dad|wife|husband|woman|man|native)$"
)
_NO_ROLE = words(
    "user customer visitor administrator admin tester developer reminder result beginner number matter order moment event present starter teaser paper letter offer favor document woman man"
)
_OCCASIONS = words(
    "wedding birthday party graduation anniversary celebration ceremony shower recital concert reunion christening baptism "
    "bachelorette engagement prom play exam"
)
_USES = words("user owner fan player")
# What nobody has as one has a thing.
_ABSTRACT = re.compile(
    r"(?:tion|sion|ment|ness|ity|ance|ence|ship|ism|ure|ing)s?$|^(?:skill|habit|routine|need|plan|budget|schedule|style|taste|mood|"
    r"preference|diet|health|career|job|score|grade|level|pace|speed|chance|option|task|project|essay|draft|report|paper|statement|"
    r"stress|sleep|energy|progress|result|process|strategy|knowledge|theory|story|trip|visit|day|night|hand|back|body|mind)$"
)
_SAYS_LITTLE = words(
    "own first last next current old new favourite favorite other usual regular daily weekly monthly whole entire upcoming recent "
    "personal best main final overall little big different current specific"
)
_AN = re.compile(r"^(?:[aeio]|u(?!ni|s[aeiu]|k)|hono|hour|8|11\b|18\b)", re.IGNORECASE)


def mentions(sent: Any, voices: Voices, told: set[int]) -> Iterator[tuple[Meaning, str]]:
    """(meaning, claim) of each "my X" with a name or a number in it, outside the tokens that a claim has already told."""
    if (role := _role(sent, voices)) is not None:
        yield role
    for token in sent:
        if token.lower_ != "my" or token.dep_ != "poss" or token.i in told:
            continue
        head = token.head
        if head.pos_ not in ("NOUN", "PROPN") or head.lemma_.lower() in _VAGUE:
            continue
        found = _person(head, voices) or _occasion(head, voices) or _thing(token, head, voices)
        if found is not None:
            yield found


def _role(sent: Any, voices: Voices) -> tuple[Meaning, str] | None:
    """ "As a night nurse, I …", "my growth as a 31-year-old baker": what the author is."""
    first = next(iter(sent))
    as_one = next((t for t in sent if t.lower_ == "as" and (t.i == first.i or _is_of_mine(t.head))), first)
    noun = next((c for c in as_one.children if c.dep_ == "pobj"), None)
    if as_one.lower_ != "as" or noun is None or not _ROLE.search(noun.lower_):
        return None
    uses = noun.lower_ in _USES and any(named(c) for c in noun.children)
    article = next((c for c in noun.children if c.dep_ == "det"), None)
    if (noun.lower_ in _NO_ROLE and not uses) or article is None or article.lower_ not in ("a", "an"):
        return None
    then = next((t for t in sent if t.i > max(s.i for s in noun.subtree) and not t.is_punct), None)
    if as_one.i == first.i and (then is None or then.lower_ not in ("i", "my", "we")):
        return None
    text = phrase([t for t in noun.subtree if t.i > article.i], voices)
    said = Meaning(Kind.SEMANTIC, "user", "is", canonical(text), MANY, 0.5)
    return said, f"The user is {article.lower_} {text}."


def _is_of_mine(noun: Token) -> bool:
    return noun.pos_ == "NOUN" and any(c.dep_ == "poss" and c.lower_ == "my" for c in noun.children)


def _person(head: Token, voices: Voices) -> tuple[Meaning, str] | None:
    """ "my friend Kelly": the name belongs to the relation."""
    name, relation = None, head
    if head.lemma_.lower() in PEOPLE | PETS:
        name = next((c for c in head.children if c.dep_ == "appos" and named(c)), None)
    elif named(head):
        before = [c for c in head.children if c.dep_ in ("compound", "nmod") and c.lemma_.lower() in PEOPLE | PETS]
        name, relation = (head, before[-1]) if before else (None, head)
    if name is None:
        return None
    names = [
        t
        for t in name.subtree
        if named(t) and t.i > relation.i and (t.i == name.i or t.dep_ in ("compound", "flat", "nmod"))
    ]
    said = phrase(names, voices)
    describing = [
        t for t in head.subtree if (t.i <= relation.i and t.dep_ in ("amod", "compound", "nmod")) or t.i == relation.i
    ]
    return (
        Meaning(Kind.SEMANTIC, "user", slug(relation.lemma_), said, MANY, 0.7),
        f"The user's {phrase(describing, voices)} is called {said}.",
    )


def _occasion(person: Token, voices: Voices) -> tuple[Meaning, str] | None:
    """ "my sister's wedding in Ghent": an event in the life of the author's own people, told with a place, a date or a number."""
    event = person.head
    if person.dep_ != "poss" or person.lemma_.lower() not in PEOPLE or event.lemma_.lower() not in _OCCASIONS:
        return None
    own = [
        t for t in event.subtree if t.i <= event.i and t.head.i == event.i and t.dep_ in ("amod", "compound", "nummod")
    ]
    more = _described_further(event) or _when_or_where(event)
    if not (anchored(own) or more):
        return None
    text = phrase([*own, event, *more], voices)
    who = phrase([t for t in person.subtree if t.i <= person.i], voices)
    over = event.dep_ == "nsubj" and event.head.tag_ == "VBD"
    article = "" if event.tag_ == "NNS" else "an " if _AN.match(text) else "a "
    about = who.replace("the user's", "user's")
    said = Meaning(Kind.SEMANTIC, about, slug("has", event.lemma_), canonical(text), MANY, 0.5, third_party=True)
    return said, f"{who[:1].upper()}{who[1:]} {'had' if over else 'has'} {article}{text}."


def _thing(owner: Token, head: Token, voices: Voices) -> tuple[Meaning, str] | None:
    """ "my 40 old maps", "my new Pelikan pen": the author has one."""
    if head.lemma_.lower() in PEOPLE or any(c.dep_ == "case" for c in head.children) or head.dep_ == "poss":
        return None
    tokens = [t for t in head.subtree if owner.i < t.i <= head.i]
    more = _described_further(head)
    favourite = any(t.lower_ in ("favourite", "favorite") for t in tokens) and len(tokens) > 2
    front = favourite or any((named(t) and not _ACRONYM.match(t.text)) or t.like_num for t in tokens)
    titled = sum(named(t) and not _CALENDAR.match(t.text) for t in tokens) > 1  # "my Sunday morning Spin Core class"
    front = front and (titled or not any(_CALENDAR.match(t.text) for t in tokens))
    if (
        _CALENDAR.match(head.text)
        or not (front or anchored(more))
        or any(t.lower_ in ("own", "first", "last", "next", "current") for t in tokens)
    ):
        return None
    text = phrase([*tokens, *more] if anchored(more) else tokens, voices).strip(" \"'“”,")
    plural = head.tag_ in ("NNS", "NNPS") or any(t.dep_ == "nummod" and t.head.i == head.i for t in tokens)
    article = "" if plural or named(head) else ("an " if _AN.match(text) else "a ")
    return Meaning(
        Kind.SEMANTIC, "user", slug("has", noun_of(head).split("_")[-1]), canonical(text), MANY, 0.4
    ), f"The user has {article}{text}."


def plain_things(sent: Any, voices: Voices) -> Iterator[tuple[Meaning, str]]:
    """(meaning, claim) of each "my X" that says what sort of thing it is, name or no name: "my new foldable keyboard"."""
    for owner in sent:
        head = owner.head
        if owner.lower_ != "my" or owner.dep_ != "poss" or not _is_a_thing(head):
            continue
        tokens = [t for t in head.subtree if owner.i < t.i and (t.i <= head.i or _is_listed(t, head))]
        while tokens and tokens[-1].dep_ == "cc":
            tokens.pop()
        telling = [
            t for t in tokens if t.i < head.i and t.dep_ in ("compound", "amod") and t.lower_ not in _SAYS_LITTLE
        ]
        if not telling or len(tokens) > _LONGEST or any(_CALENDAR.match(t.text) for t in tokens):
            continue
        text = phrase(tokens, voices)
        article = "" if head.tag_ == "NNS" else ("an " if _AN.match(text) else "a ")
        said = Meaning(Kind.SEMANTIC, "user", slug("has", head.lemma_), canonical(text), MANY, 0.3)
        yield said, f"The user has {article}{text}."


def _is_a_thing(noun: Token) -> bool:
    lemma = noun.lemma_.lower()
    people = lemma in PEOPLE or any(c.dep_ == "case" for c in noun.children)
    return noun.pos_ == "NOUN" and not people and lemma not in _VAGUE and not _ABSTRACT.search(lemma)


def _is_listed(token: Token, head: Token) -> bool:
    """Part of " and travel adapter", behind the head."""
    above = token if token.dep_ in ("conj", "cc") else token.head
    noun = token.pos_ == "NOUN" or token.dep_ in ("cc", "amod", "compound")
    return noun and above.dep_ in ("conj", "cc") and above.head.i == head.i


def _described_further(head: Token) -> list[Token]:
    """What follows the noun and belongs to it: "my list of 7 plays, including …, totalling 900 pages"."""
    after = [c for c in head.children if c.i > head.i and _belongs(c)]
    tokens = sorted((t for c in after for t in c.subtree), key=lambda t: t.i)
    whole: list[Token] = []
    for token in tokens:
        apart = token.i != (whole[-1].i if whole else head.i) + 1
        if apart or len(whole) == _LONGEST or token.lower_ in ("this", "it", "them"):
            break
        whole.append(token)
    while (
        whole
        and (whole[-1].is_punct or whole[-1].dep_ in ("cc", "prep", "det"))
        and whole[-1].text not in (")", '"', "”")
    ):
        whole.pop()
    return whole


def _when_or_where(event: Token) -> list[Token]:
    """What follows at once with "in", "on" or "at", wherever the parser hangs it."""
    link = event.nbor() if event.i + 1 < len(event.doc) else event
    target = next((c for c in link.children if c.dep_ == "pobj"), None)
    if link.lower_ not in ("in", "on", "at") or target is None:
        return []
    return [link, *(t for t in target.subtree if not t.is_punct)]


def _belongs(child: Token) -> bool:
    if child.dep_ == "prep":
        return child.lower_ in _ATTACHED
    if child.dep_ == "acl":
        return child.tag_ in ("VBN", "VBG") or child.lower_ == "called"
    return child.dep_ in ("relcl", "appos", "nummod") or (
        child.dep_ == "punct" and child.text in (",", "(", ")", '"', "“", "”")
    )
