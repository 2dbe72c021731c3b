"""Standing instructions to the assistant, told apart from the task of the moment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lethe.extraction.claims import Token, Voices, phrase
from lethe.extraction.predicates import MANY, SINGLE
from lethe.extraction.values import Meaning, canonical, slug, value
from lethe.extraction.words import words
from lethe.records import Kind

_STANDING = (
    r"always|never|from now on|from today on|from today|from here on|starting now|in (?:the )?future|going forward|henceforth|"
    r"for future reference|(?:for|in|on) (?:all|every|each|any|our|this|the|my)\b[^,]{0,40}(?:project|repo|repository|codebase|chats?|conversations?|sessions?)|"
    r"in (?:the )?project [\w-]+|as a rule|by default|in general"
)
_SOFT = (
    r"please|kindly|just|simply|also|and|but|so|now|make sure (?:to|that you|you)|be sure to|remember to|try to|"
    r"(?:i|we)(?: would|'d|’d)? (?:want|like|need|ask|expect|prefer) you to|you (?:should|must|need to|have to|can|may)|"
    r"(?:can|could|would|will) you|don't forget to|take care to|i(?: would|'d|’d) (?:appreciate|like) it if you(?: could| would)?"
)
_OPENING = re.compile(
    rf"^(?P<when>(?:when(?:ever)?|if|every time|each time|any time|anytime|once|before|after|for|in) [^,;:]{{3,90}}[,:]\s*)?"
    rf"(?P<marks>(?:(?:(?P<no>do not|don't|don’t|never|no longer|stop|avoid|quit|refrain from)|{_STANDING}|{_SOFT})\b[\s,:]*)*)",
    re.IGNORECASE,
)
_STANDING_MARK = re.compile(
    rf"\b(?:{_STANDING}|remember to|every time|each time|whenever|any time|in every|in each|in all|for all|for every|for each|to every|to each|to all|"
    r"unless i|until i (?:say|tell)|any more|anymore)\b",
    re.IGNORECASE,
)
_WHEN_ASKED = re.compile(r"\b(?:when(?:ever)?|if|every time|each time|before|after) (?:i|you|we)\b", re.IGNORECASE)
_ABOUT_REPLIES = re.compile(
    r"\byour (?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|messages?|explanations?|output|summaries|summary|tone|language|style|emails?|mails?|texts?)\b",
    re.IGNORECASE,
)
_TO_ME = re.compile(
    r"^(?:answer|reply|respond|write|speak|talk|address|call|text|mail)(?: to| back)?(?: to)? ?(?:me|us)?\b(?: only| back)? ?(?:in|as|with|by|using)\b|^(?:call|address) (?:me|us)\b(?! (?:back|later|again|when|if|at|on|after|before|asap|as soon)\b)"
    r"|^(?:answer|reply|respond|speak|talk)(?: to)?(?: me| us)? (?:briefly|formally|informally|politely|shortly|concisely)",
    re.IGNORECASE,
)
_HERE_AND_NOW = re.compile(
    r"\b(?:this|that|these|those|above|below|following|it|them|here|attached|again|again\?|first|next|today|tonight|tomorrow|now)\b(?! project| repo| on\b)",
    re.IGNORECASE,
)
_POINTS = re.compile(r"^\w+ (?:it|this|that|these|those|him|her|them)(?: (?:ever )?again)?$", re.IGNORECASE)
_EVER_AGAIN = re.compile(r"\s+(?:ever )?again$", re.IGNORECASE)
_COMFORT = re.compile(
    r"^(?:worry|bother|mind|hesitate|panic|laugh|give up|miss|forget|be|get|let|know|feel|judge|ask|tell me|hold|stop|"
    r"take (?:it|that|this)|think|sweat|need|want|have|understand|believe|see|like|trust)\b",
    re.IGNORECASE,
)
_IDIOM = re.compile(
    r"^(?:mind|worry|bother|panic|hesitate|give up|gonna|going to|forget|say never|again)\b", re.IGNORECASE
)
_STYLE = words(
    "use round format spell sign abbreviate capitalize capitalise cite quote express convert measure "
    "number date label write keep put phrase address indent name state present style structure"
)
_ADDITIVE = words(
    "include add mention provide give show use highlight explain suggest recommend list offer note point ask check cite"
)
_REPLYING = words("answer reply respond speak talk schedule send book remind")
_DELIVERING = words("deliver export save make produce prepare create file store attach sort name give")
_INSTEAD = re.compile(
    r"(?:,?\s+(?:instead of|rather than|and not|not)\s+)(?P<old>[^,;.!?]+?)(?=\s+from now on\b|[\s.!]*$)", re.IGNORECASE
)
_FROM_NOW_ON = re.compile(r",?\s+(?:from (?:now|here|today) on|in (?:the )?future|going forward)\s*$", re.IGNORECASE)
_LANGUAGES = words(
    "english german french spanish italian portuguese dutch swedish norwegian danish finnish icelandic "
    "polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian arabic hebrew "
    "persian hindi urdu bengali tamil telugu chinese mandarin cantonese japanese korean vietnamese thai "
    "indonesian malay swahili catalan basque galician welsh irish estonian latvian lithuanian croatian "
    "serbian slovenian latin esperanto"
)


@dataclass(frozen=True, slots=True)
class Instruction:
    """A standing instruction: its meaning, and its claim."""

    meaning: Meaning
    claim: str


def instruction(tokens: Sequence[Token], voices: Voices, *, alone: bool) -> Instruction | None:
    """The standing instruction in a sentence to the assistant, or None for a task, a comfort or a statement.

    `alone`: the turn holds nothing but this sentence, so that "Use metric units." is no part of a task.
    """
    text = "".join(token.text_with_ws for token in tokens).strip()
    opening = _OPENING.match(text.replace("’", "'"))
    if opening is None:
        return None
    body_start = opening.end()
    body = text[body_start:].strip(" ,.;:!?")
    start = tokens[0].idx
    rest = [token for token in tokens if token.idx - start >= body_start and not token.is_space]
    while rest and rest[-1].is_punct and rest[-1].text not in (")", '"', "”"):
        rest.pop()
    if not rest or not _imperative(rest, opening):
        return None
    denied = opening["no"] is not None
    if not _stands(text, body, rest, opening, denied, alone):
        return None
    when = [token for token in tokens if opening["when"] and token.idx - start < len(opening["when"])]
    return _worded(rest, when, opening, denied, voices)


def _imperative(rest: Sequence[Token], opening: re.Match[str]) -> bool:
    verb = rest[0]
    gerund = (opening["no"] or "").lower() in ("stop", "avoid", "quit", "refrain from")
    if gerund:
        return verb.tag_ == "VBG" or (opening["no"] or "").lower() == "avoid"
    if verb.lower_ in (
        "i",
        "we",
        "you",
        "my",
        "our",
        "the",
        "a",
        "an",
        "it",
        "they",
        "he",
        "she",
        "this",
        "that",
        "there",
        "if",
        "what",
        "how",
    ):
        return False
    if any(
        child.dep_ in ("nsubj", "nsubjpass") and child.i < verb.i and child.lower_ != "you" for child in verb.children
    ):
        return False
    # The tagger takes many an imperative for a noun ("Never schedule meetings", "Answer in German").
    known = verb.lower_ in _STYLE or verb.lower_ in _ADDITIVE or verb.lower_ in _REPLYING
    marked = bool(re.search(r"\b(?:always|never|don't|do not)\b", opening["marks"], re.IGNORECASE)) and len(rest) > 1
    return verb.tag_ in ("VB", "VBP") or (
        (known or marked) and verb.tag_ in ("NN", "NNP", "JJ", "RB", "IN", "VBD", "VBN")
    )


def _stands(text: str, body: str, rest: Sequence[Token], opening: re.Match[str], denied: bool, alone: bool) -> bool:
    marks = opening["marks"].lower()
    if re.match(r"^(?:can|could|would|will) you", marks.strip()) and not re.search(
        r"\b(?:always|never|from now on|in future|going forward)\b", text, re.I
    ):
        return False
    if _STANDING_MARK.search(text) or (_WHEN_ASKED.search(text) and not text.lower().startswith("if ")):
        if _IDIOM.match(body) or _POINTS.match(body):
            return False
        return not _COMFORT.match(body) or bool(re.search(r"\b(?:always|never|from now on)\b", marks))
    if _ABOUT_REPLIES.search(body) and not _HERE_AND_NOW.search(body):
        return (
            rest[0].lower_ in _STYLE
            or rest[0].lower_ in ("make", "limit", "end", "start", "begin", "shorten", "include", "use", "give")
            or denied
        )
    if _TO_ME.match(body) and not _HERE_AND_NOW.search(body):
        return True
    if denied:
        return not _COMFORT.match(body) and not _HERE_AND_NOW.search(_EVER_AGAIN.sub("", body))
    if _INSTEAD.search(body) and _of_a_kind_that_is_mine(rest) and not _HERE_AND_NOW.search(body):
        return True
    return rest[0].lower_ in _STYLE and alone and _generic(rest)


def _of_a_kind_that_is_mine(rest: Sequence[Token]) -> bool:
    """ "send my reports": all of them from now on, and not this one."""
    return any(
        token.tag_ in ("NNS", "NNPS") and any(child.lower_ in ("my", "our") for child in token.children)
        for token in rest[1:4]
    ) and (rest[0].lower_ in _REPLYING or rest[0].lower_ in _STYLE or rest[0].lower_ in _DELIVERING)


def _is_plural_thing(token: Token, rest: Sequence[Token]) -> bool:
    """The tagger takes a plural after an imperative for a verb: "round amounts to …"."""
    return bool(token.tag_ == "VBZ" and token.i == rest[0].i + 1)


def _generic(rest: Sequence[Token]) -> bool:
    """The object is a sort of thing, not this one: "round amounts", "use metric units"."""
    first = next(
        (token for token in rest[1:] if token.pos_ in ("NOUN", "PROPN") or _is_plural_thing(token, rest)), None
    )
    if first is None or _HERE_AND_NOW.search(" ".join(token.text for token in rest)):
        return False
    determined = any(child.dep_ in ("det", "poss", "nummod") for child in first.children)
    topic = any(token.lower_ in ("about", "on") and token.dep_ == "prep" for token in rest)
    return not determined and not topic


def _worded(
    rest: Sequence[Token], when: Sequence[Token], opening: re.Match[str], denied: bool, voices: Voices
) -> Instruction | None:
    word = (opening["no"] or "").lower()
    marks = opening["marks"].lower()
    voices = replace(voices, yours="its")
    verb = rest[0]
    lemma = verb.lemma_.lower() if verb.tag_.startswith("VB") else verb.lower_
    doing = phrase(rest, voices)
    doing = doing if rest[0].text.isupper() else f"{doing[:1].lower()}{doing[1:]}"
    if word in ("stop", "avoid", "quit", "refrain from"):
        wish = f"to {word} {doing}"
    elif word in ("never", "no longer"):
        wish = f"{word} to {doing}"
    elif denied:
        wish = f"not to {doing}"
    else:
        wish = f"to always {doing}" if "always" in marks else f"to {doing}"
    condition = phrase(when, voices).strip(" ,:;")
    claim = f"The user wants the assistant {wish}{f' {condition[:1].lower()}{condition[1:]}' if condition else ''}"
    scoped = re.search(
        r"\b(?:for|in|on) (?:this project|(?:the )?project [\w-]+|this repo(?:sitory)?|this codebase)\b",
        marks + " ",
        re.IGNORECASE,
    )
    if scoped and scoped[0] not in claim.lower():
        said = re.search(re.escape(scoped[0]), opening["marks"] or "", re.IGNORECASE)
        claim += f" {said[0] if said else scoped[0]}"
    for said_here, meant in voices.these.items():
        claim = claim.replace(said_here, meant)
    meaning = _without_the_old(_meaning(lemma, rest, when, denied, voices))
    return Instruction(meaning, claim.rstrip(" ,;:!?.") + ".") if meaning.object else None


def _without_the_old(meaning: Meaning) -> Meaning:
    """ "reports as CSV instead of PDF": the value is "reports as CSV", and it replaces "reports as PDF"."""
    text = _FROM_NOW_ON.sub("", meaning.object)
    hit = _INSTEAD.search(text)
    if hit is None:
        return replace(meaning, object=text or meaning.object)
    new, old = text[: hit.start()].strip(), hit["old"].strip()
    placed = re.match(r"(?P<before>.+\b(?:as|in|to|by|with|via|on|at) )\S+$", new)
    return replace(meaning, object=new or meaning.object, replaces=f"{placed['before']}{old}" if placed else old)


def _meaning(lemma: str, rest: Sequence[Token], when: Sequence[Token], denied: bool, voices: Voices) -> Meaning:
    said = rest[2:] if len(rest) > 2 and rest[1].lower_ in ("me", "us") else rest[1:]
    text = value(said, voices) or lemma
    if when:
        condition = phrase(when, voices).strip(" ,:;")
        text = f"{text} {condition[:1].lower()}{condition[1:]}"
    base = Meaning(Kind.INSTRUCTION, "user", "", text, SINGLE, 0.8, denied)
    words = [token.lower_ for token in rest]
    if lemma in ("call", "address") and len(words) > 1 and words[1] in ("me", "us"):
        name = canonical(re.sub(r"^(?:as|by)\s+", "", phrase(rest[2:], voices)))
        return replace(base, predicate="call_user", object=name or text, importance=0.9)
    language = next((token.text for token in rest if token.lower_ in _LANGUAGES), None)
    if lemma in ("answer", "reply", "respond", "write", "speak", "talk", "use") and language and "in" in words[:4]:
        direct = next((t for t in rest if t.dep_ == "dobj" and t.pos_ == "NOUN"), None)
        name = slug("answer", "language") if direct is None else slug(lemma, direct.text)
        return replace(base, predicate=name, object=language)
    direct = next(
        (t for t in rest[1:] if t.dep_ in ("dobj", "nsubj", "compound") and t.pos_ in ("NOUN", "PROPN")), None
    )
    plural = len(rest) > 1 and _is_plural_thing(rest[1], rest)
    if plural or (direct is None and len(rest) > 1 and rest[1].pos_ in ("NOUN", "PROPN", "ADJ", "X")):
        direct = rest[1]
    if direct is not None and direct.dep_ == "compound":
        direct = direct.head if direct.head.pos_ in ("NOUN", "PROPN") else direct
    prep = next((t for t in rest[1:] if t.dep_ == "prep"), None)
    if lemma == "use" and prep is not None and prep.lower_ == "for":
        target = next((t for t in prep.children if t.dep_ == "pobj"), None)
        if target is not None:
            return replace(base, predicate=slug("use_for", target.text))
    if direct is None and prep is not None:
        target = next((t for t in prep.children if t.dep_ == "pobj"), None)
        return replace(base, predicate=slug(lemma, prep.text, target.text if target is not None else ""))
    additive = lemma in _ADDITIVE or bool(when)
    return replace(
        base, predicate=slug(lemma, direct.text if direct is not None else ""), cardinality=MANY if additive else SINGLE
    )
