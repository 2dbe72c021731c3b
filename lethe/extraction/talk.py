"""Clauses that steer the conversation rather than tell of a life: opinions, wishes for help, troubles with a task."""

from __future__ import annotations

from collections.abc import Iterator

from lethe.extraction.anchors import anchored, counted, owned
from lethe.extraction.claims import Token, subject_of
from lethe.extraction.clauses import Clause, Tense
from lethe.extraction.predicates import FACTIVE_VERBS, TALK_VERBS, TASK_VERBS, TROUBLES, VAGUE_OBJECTS, lemma_of
from lethe.extraction.preferences import wanted_always
from lethe.extraction.setting import Setting
from lethe.extraction.words import words

_MEETS_TROUBLE = words("have get face encounter see run hit experience raise notice understand know")
_TALK_WITH_OBJECT = words("forget see know remember hear feel notice")


def steers_the_talk(clause: Clause, setting: Setting) -> bool:
    """The clause steers the conversation: an opinion verb, a wish for help."""
    if _is_fragment(clause):
        return True
    if clause.verb.lower_ == "got" and any(token.lower_ == "ta" for token in clause.tokens):
        return True
    if clause.person == "you" or clause.subject.lower_ in (
        "it",
        "this",
        "that",
        "there",
        "they",
        "he",
        "she",
        "what",
        "who",
    ):
        return clause.antecedent is None
    lemma = lemma_of(clause.verb)
    children = {child.dep_ for child in clause.verb.children if child.i > clause.verb.i}
    if clause.person in ("i", "we"):
        if (
            lemma in TALK_VERBS
            and not _insight(clause)
            and not _toys_with(clause)
            and not _recalls(clause)
            and not (lemma in _TALK_WITH_OBJECT and "dobj" in children and not _about_a_claim(clause, children))
        ):
            return True
        if lemma in FACTIVE_VERBS and "ccomp" in children and not _insight(clause):
            return True
        if wanted_always(clause.verb) is not None:
            return False
        if _names_nothing(clause, setting):
            return True
        if setting.to_assistant and lemma in TASK_VERBS and _asks_for_help(clause, children) and not _anchored(clause):
            return True
    return False


def _is_fragment(clause: Clause) -> bool:
    """ "I did.", "I will not.", "We last talked": an answer's echo without the thing itself."""
    if any(
        token.pos_ in ("NOUN", "PROPN", "ADJ", "NUM", "VERB", "ADP", "PRON") and token.i != clause.verb.i
        for token in clause.complement
    ):
        return False
    bare = clause.verb.pos_ == "AUX" or lemma_of(clause.verb) in ("do", "try", "go", "have")
    told = any(child.dep_ == "auxpass" and child.lower_ == "got" for child in clause.verb.children)  # "I got hurt"
    return bare or (clause.tense is not Tense.PRESENT and not told)


def _insight(clause: Clause) -> bool:
    """ "I've learned that breaks keep me sane": what was learned is no fact about the author of its own."""
    inner = next((c for c in clause.verb.children if c.dep_ == "ccomp" and c.i > clause.verb.i), None)
    if inner is None or lemma_of(clause.verb) not in ("learn", "realise", "realize", "discover"):
        return False
    subject = subject_of(inner)
    return subject is not None and subject.pos_ != "PRON" and clause.tense in (Tense.PAST, Tense.PERFECT)


def _about_a_claim(clause: Clause, children: set[str]) -> bool:
    """ "I saw your point that …", unlike "I saw a cottage on 3 May that I liked"."""
    if lemma_of(clause.verb) == "notice":
        return not (owned(clause.complement) or anchored(clause.complement))
    if "ccomp" not in children:
        return False
    seen = next(c for c in clause.verb.children if c.dep_ == "dobj" and c.i > clause.verb.i)
    before = [token for token in clause.complement if token.i < next(_inner(clause)).i]
    return clause.tense not in (Tense.PAST, Tense.PERFECT) or seen.pos_ == "PRON" or not anchored(before)


def _inner(clause: Clause) -> Iterator[Token]:
    return (c for c in clause.verb.children if c.dep_ == "ccomp" and c.i > clause.verb.i)


def _recalls(clause: Clause) -> bool:
    """ "I remember paying 40 euros for it": done, as far as the author remembers."""
    if lemma_of(clause.verb) not in ("remember", "recall") or clause.negated:
        return False
    doing = any(c.dep_ == "xcomp" and c.tag_ == "VBG" for c in clause.verb.children)
    return doing and (anchored(clause.complement) or owned(clause.complement))


def _toys_with(clause: Clause) -> bool:
    """ "I'm thinking of joining the Visby choir": what is considered, where it is something of a name or the author's."""
    of = next((c for c in clause.verb.children if c.dep_ == "prep" and c.lower_ in ("of", "about")), None)
    doing = of is not None and any(c.dep_ == "pcomp" and c.tag_ == "VBG" for c in of.children)
    after = clause.complement
    return (
        doing
        and clause.tense is Tense.PROGRESSIVE
        and lemma_of(clause.verb) == "think"
        and (anchored(after) or owned(after))
    )


def _names_nothing(clause: Clause, setting: Setting) -> bool:
    """ "I'm having trouble with …", "I've got a lot on": nothing to remember."""
    direct = next((c for c in clause.verb.children if c.dep_ == "dobj" and c.i > clause.verb.i), None)
    if direct is None:
        return False
    if setting.to_assistant and direct.lemma_.lower() in TROUBLES and lemma_of(clause.verb) in _MEETS_TROUBLE:
        return True
    concrete = any(token.pos_ == "PROPN" or token.like_num for token in clause.complement)
    liked = lemma_of(clause.verb) in ("like", "love", "enjoy", "cherish", "hate") and len(clause.complement) > 2
    concrete = concrete or liked
    return direct.lemma_.lower() in VAGUE_OBJECTS and not concrete


def _asks_for_help(clause: Clause, children: set[str]) -> bool:
    lemma = lemma_of(clause.verb)
    if lemma in ("like", "love"):
        return clause.modal == "would"
    if lemma == "want":
        return not any(t.lower_ in ("as", "in") for t in clause.complement) or "xcomp" in children
    if lemma == "try":
        return "xcomp" in children and clause.tense is not Tense.PAST
    if lemma in ("look", "search"):
        return any(t.lower_ in ("for", "to", "into", "at", "forward") for t in clause.verb.children)
    return True


def _anchored(clause: Clause) -> bool:
    """ "I'm trying to finish my grant report by 3 May": work of the author's own with a date or an amount, no mere request."""
    if clause.tense is Tense.PAST or clause.modal == "would":
        return False
    after = clause.complement
    if lemma_of(clause.verb) in ("try", "work", "struggle", "hope"):
        return anchored(after)
    return counted(after) or (anchored(after) and owned(after))
