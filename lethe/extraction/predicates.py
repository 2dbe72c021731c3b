"""The canonical predicates: why a sentence in these words became a fact under this name.

A clause that matches no row falls back on its own verb ("I brew cider" -> `brews`), many-valued and of ordinary weight.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from lethe.extraction.words import words
from lethe.records import Cardinality, Kind

SINGLE, MANY = Cardinality.SINGLE, Cardinality.MANY


@dataclass(frozen=True, slots=True)
class Predicate:
    """One row: the clause's verb, and the prepositions that lead to its object (none: the direct object)."""

    name: str
    verbs: frozenset[str]
    prepositions: frozenset[str] = frozenset()
    kind: Kind = Kind.SEMANTIC
    cardinality: Cardinality = MANY
    importance: float = 0.5
    negative: bool = False  # the verb itself denies: to hate is not to like
    lasting: bool = True  # in the past tense it still tells a state or a result ("moved to"), not an event


def _row(
    name: str,
    verbs: str,
    prepositions: str = "",
    *,
    kind: Kind = Kind.SEMANTIC,
    cardinality: Cardinality = MANY,
    importance: float = 0.5,
    negative: bool = False,
    lasting: bool = False,
) -> Predicate:
    return Predicate(
        name,
        frozenset(verbs.split()),
        frozenset(prepositions.split()),
        kind,
        cardinality,
        importance,
        negative,
        lasting,
    )


# name            verbs (lemmas)                       prepositions          what it is
PREDICATES: tuple[Predicate, ...] = (
    _row("lives_in", "live reside dwell", "in at on near by", cardinality=SINGLE, importance=0.9),
    _row("lives_in", "move relocate", "to into", cardinality=SINGLE, importance=0.9, lasting=True),
    _row("name", "go", "by", cardinality=SINGLE, importance=0.9),
    _row("switched_to", "switch migrate", "to", importance=0.6, lasting=True),
    _row("lives_with", "live", "with", importance=0.7),
    _row("born_in", "bear", "in at", cardinality=SINGLE, importance=0.8, lasting=True),
    _row("born_on", "bear", "on", cardinality=SINGLE, importance=0.8, lasting=True),
    _row("grew_up_in", "grow", "in on at", cardinality=SINGLE, importance=0.7, lasting=True),
    _row("comes_from", "come hail", "from", cardinality=SINGLE, importance=0.8),
    _row("works_for", "work", "for at", cardinality=SINGLE, importance=0.9),
    _row("works_for", "employ", "by at", cardinality=SINGLE, importance=0.9),
    _row("occupation", "work", "as", cardinality=SINGLE, importance=0.9),
    _row("works_in", "work", "in", importance=0.7),
    _row("works_from", "work", "from", cardinality=SINGLE, importance=0.6),
    _row("works_on", "work", "on", importance=0.5),
    _row("studies", "study", importance=0.7),
    _row("studies_at", "study", "at", importance=0.7),
    _row("learns", "learn", importance=0.6),
    _row("speaks", "speak", importance=0.7),
    _row("teaches", "teach", importance=0.6),
    _row("plays", "play", importance=0.6),
    _row("owns", "own possess", importance=0.6),
    _row("has", "have", importance=0.6),
    _row("uses", "use utilise utilize", importance=0.6),
    _row("drives", "drive", importance=0.6),
    _row("commutes", "commute", importance=0.6),
    _row("takes", "take", importance=0.5),
    _row("wears", "wear", importance=0.5),
    _row("eats", "eat", importance=0.5),
    _row("drinks", "drink", importance=0.5),
    _row("subscribes_to", "subscribe", "to", importance=0.5),
    _row("belongs_to", "belong", "to", importance=0.5),
    _row("married_to", "marry", "to", cardinality=SINGLE, importance=0.8, lasting=True),
    _row("likes", "like love adore enjoy cherish", kind=Kind.PREFERENCE, importance=0.6),
    _row("likes", "hate dislike loathe detest despise", kind=Kind.PREFERENCE, importance=0.6, negative=True),
    _row("likes", "stand bear abide", kind=Kind.PREFERENCE, importance=0.6),  # only under "cannot"
    _row("decided", "decide", "on", importance=0.7, lasting=True),
    _row("decided", "decide choose pick settle", importance=0.7, lasting=True),
    _row("plans", "plan intend aim", importance=0.4),
    _row("plans", "plan aim", "on for", importance=0.4),
    _row("considers", "consider", importance=0.3),
    _row("considers", "think", "of about", importance=0.3),
)

CANONICAL = frozenset(row.name for row in PREDICATES)
_TIME = re.compile(
    r"(?:(?:early|late|mid|the) |\d{1,2}(?:st|nd|rd|th)? )*"
    r"(?:(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter)"
    r"(?: \d{1,2})?,?(?: of)?(?: (?:19|20)\d\d)?|(?:19|20)\d\ds?|['’]?\d0s)",
    re.IGNORECASE,
)
DENIED_ONLY = frozenset({"stand", "bear", "abide"})

# What happens once and is true of a life ever after: with these verbs it is a fact, whatever follows and whenever it was.
_OF_A_LIFE = words("graduate marry divorce")
_OF_A_LIFE_WITHOUT_OBJECT = words("major emigrate immigrate retire grow_up drop_out")
_OF_A_LIFE_WHEN_DONE_TO_ONE = words(
    "bear diagnose raise christen baptise baptize name marry divorce widow orphan adopt"
)
_NAMED_FOR_A_LIFE = re.compile(
    r"(?:born|diagnosed|graduated|majored|married|divorced|emigrated|immigrated|grew_up)(?:_\w+)?|raised_(?:in|on|at|by)|birth_\w+|date_of_birth"
)
_EARNING = words("earn get receive obtain complete finish gain hold do")
_DEGREES = words("degree diploma doctorate phd ph.d mba msc bsc bachelor bachelors master masters doctor baccalaureate")

# "My X is Y": a name in place of Y belongs to the relation, whatever is said of it belongs to the person.
PEOPLE = words(
    "mother mom mum mam mama father dad papa parent brother sister sibling son daughter child kid baby "
    "twin husband wife spouse partner fiance fiancé fiancée fiancee girlfriend boyfriend ex niece nephew "
    "cousin aunt uncle auntie grandmother grandfather grandma grandpa granny grandparent grandson "
    "granddaughter grandchild stepmother stepfather stepson stepdaughter stepbrother stepsister godmother "
    "godfather friend bestie buddy mate flatmate roommate housemate neighbour neighbor boss manager "
    "colleague coworker co-worker supervisor mentor mentee teacher professor tutor student landlord "
    "tenant doctor dentist therapist coach trainer lawyer accountant assistant client customer family "
    "folk parents relative in-law mother-in-law father-in-law brother-in-law sister-in-law advisor "
    "adviser co-founder cofounder guy crush physician surgeon psychiatrist psychologist counsellor "
    "counselor attorney vet barber hairdresser instructor editor investor contractor nanny babysitter "
    "pastor gp"
)
PETS = words(
    "dog cat puppy kitten horse pony rabbit hamster parrot bird fish goldfish turtle tortoise snake "
    "lizard goat pig sheep cow hen chicken ferret gecko canary budgie pet guinea"
)

_PROFESSION_ENDINGS = (
    "er",
    "or",
    "ist",
    "ian",
    "eer",
    "ant",
    "smith",
    "wright",
    "man",
    "woman",
    "keeper",
    "monger",
    "chef",
    "grapher",
)
_PROFESSIONS = frozenset(
    "nurse chef cook pilot judge clerk coach guard agent analyst artist architect midwife vet surgeon executive model "
    "host cashier freelancer electrician plumber scientist apprentice intern trainee student professor lawyer soldier "
    "sailor actor actress waiter waitress barista au-pair doctor teacher CEO CTO founder co-founder admin dev developer "
    "consultant paramedic postie monk nun priest vicar pastor therapist".lower().split()
)
_NO_PROFESSION = words(
    "beginner learner lover owner believer person member user customer subscriber number starter sucker "
    "follower father mother brother sister daughter teenager foreigner newcomer fighter survivor sender "
    "perfectionist optimist pessimist realist vegetarian pescatarian human man woman christian winner "
    "loser loner outsider player smoker drinker hoarder minor senior junior riser sleeper eater giant "
    "thinker stickler"
)


PRAISE = words(
    "great awesome amazing cool nice good perfect wonderful fantastic incredible lovely fun brilliant excellent important crazy "
    "hectic tough hard rough wild insane beautiful gorgeous adorable cute sweet inspiring rewarding powerful special delicious"
)


def is_profession(noun: str) -> bool:
    """True where a noun after "I am a" names a way to earn a living, by list or by its ending."""
    noun = noun.lower()
    if noun in _PROFESSIONS:
        return True
    return noun.endswith(_PROFESSION_ENDINGS) and noun not in _NO_PROFESSION and len(noun) > 4


def predicate_for(verb: str, preposition: str | None) -> Predicate | None:
    """The row for a verb and what follows it: a preposition, or None for a direct object."""
    for row in PREDICATES:
        if verb in row.verbs and (preposition in row.prepositions if preposition else not row.prepositions):
            return row
    return None


def is_of_a_life(verb: Any, particle: Any | None, direct: Any | None, *, passive: bool) -> bool:
    """True where a deed of the past holds ever after: to have been born, to have graduated; not to have bought a boat."""
    lemma = lemma_of(verb)
    if passive:
        return lemma in _OF_A_LIFE_WHEN_DONE_TO_ONE
    if direct is not None and direct.dep_ == "dobj":
        return lemma in _OF_A_LIFE or (lemma in _EARNING and direct.lower_.rstrip(".") in _DEGREES)
    whole = f"{lemma}_{particle.lower_}" if particle is not None else lemma
    return whole in _OF_A_LIFE or whole in _OF_A_LIFE_WITHOUT_OBJECT


def is_named_for_a_life(predicate: str) -> bool:
    """The same of a predicate's name, where there is no parse to ask: "graduated_from", "born_on"."""
    return bool(_NAMED_FOR_A_LIFE.fullmatch(predicate))


def in_its_place(row: Predicate, text: str) -> Predicate:
    """The row, or its like for a time where the row tells a place: "born in 1990" is no place of birth."""
    if row.name not in ("born_in", "grew_up_in") or not _TIME.fullmatch(text):
        return row
    born = "birth_year" if text.isdigit() else "born_on"
    return replace(row, name=born if row.name == "born_in" else "grew_up_during")


_UNCHANGED_IN_THE_PAST = words(
    "put cut hit set read let shut cost hurt quit spread cast split beat bet burst rid shed thrust wed spit upset"
)


def lemma_of(token: Any) -> str:
    """The verb's base form. The tagger takes some verbs for nouns ("hates", "brew"), so its lemma needs a second look."""
    lower = str(token.lower_).replace("’", "'")
    if lower in ("'m", "'re", "'s", "am", "is", "are", "was", "were", "been", "being", "be"):
        return "be"
    if lower == "'ve":
        return "have"
    if lower.startswith("hop") and lower in ("hopes", "hoped", "hoping"):
        return "hope"
    if token.tag_ == "VBZ" and lower.endswith("es") and not lower[:-2].endswith(("s", "sh", "ch", "x", "z", "o", "i")):
        return lower[:-1]  # the lemmatizer makes "hat" of "hates"
    if token.tag_.startswith("VB"):
        return str(token.lemma_).lower()
    if lower.endswith("ies") and len(lower) > 4:
        return f"{lower[:-3]}y"
    if lower.endswith(("shes", "ches", "xes", "sses", "oes")):
        return lower[:-2]
    return lower[:-1] if lower.endswith("s") and not lower.endswith("ss") else lower


def unmarked_past(token: Any) -> bool:
    """True for a verb whose past tense is written like its present ("I read")."""
    return token.lower_ in _UNCHANGED_IN_THE_PAST


def is_base_form(token: Any) -> bool:
    """True for a present-tense form that the tagger may have taken for a past one ("I brew cider")."""
    return bool(token.lower_ == token.lemma_.lower() and token.lower_ not in _UNCHANGED_IN_THE_PAST)


_ENDS_IN_ING = words("bring spring string")
_ENDS_IN_ED = words("need feed breed speed heed bleed seed weed embed exceed proceed succeed agreed shed")


def third_person(verb: str) -> str:
    """The verb as "the user" takes it: brew -> brews, have -> has."""
    irregular = {
        "be": "is",
        "am": "is",
        "are": "is",
        "'m": "is",
        "'re": "is",
        "have": "has",
        "got": "has got",
        "wanna": "wants to",
        "gonna": "is going to",
        "'ve": "has",
        "do": "does",
        "go": "goes",
    }
    past = verb.endswith(("took", "felt", "went", "came", "made", "ed")) and verb not in _ENDS_IN_ED
    participle = verb.endswith("ing") and len(verb) > 5 and verb not in _ENDS_IN_ING
    if past or participle:
        return verb  # the tagger took it for a present form
    if verb.lower() in irregular:
        return irregular[verb.lower()]
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and len(verb) > 1 and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


# What nobody needs to remember of a talk about a task ("I'm having trouble with …"), and words that name nothing.
TROUBLES = words("trouble issue problem difficulty question doubt error code luck following concern confusion clue")
VAGUE_OBJECTS = words(
    "lot time thing way bit option sense fun chance everything something anything nothing everyone sure "
    "same other point result pressure feeling idea part look moment kind sort ton bunch while most much "
    "more all start help one good job best"
)
ABILITIES = words(
    "swim speak play drive read cook sing ride code program dance ski skate juggle whistle type knit sew "
    "draw paint sail fly write bake run lift climb surf see hear walk eat drink tolerate digest"
)

# First-person verbs that steer the talk rather than tell of a life; what they govern is a wish, a doubt or a request.
TALK_VERBS = words(
    "wonder ask mean guess suppose assume wish hope think believe feel seem imagine doubt worry apologise "
    "apologize thank appreciate agree disagree know understand see hear bet swear promise say tell "
    "mention suggest recommend notice realise realize forget remember expect figure sound look welcome "
    "struggle confuse"
)
# Verbs that say what is wanted of the assistant now, when they stand in a turn to an assistant.
TASK_VERBS = words("need want try look search seek hope like love wonder struggle")
# After "I know/found out/am glad (that) …" the inner clause is told as a fact; after "I think" it is an opinion.
FACTIVE_VERBS = words(
    "remember know realise realize find notice discover learn forget mention tell say note decide confirm announce"
)
MOODS = words(
    "tired exhausted hungry thirsty sleepy bored busy sick ill cold hot warm late early ready back home "
    "here there sad happy glad sorry excited thrilled stoked nervous anxious worried upset angry mad "
    "annoyed frustrated confused stressed overwhelmed relieved curious interested sure unsure certain "
    "afraid aware able unable fine ok okay good great well alright done finished stuck lost grateful "
    "thankful proud impressed surprised amazed pleased honored honoured lucky blessed keen eager hopeful "
    "inspired motivated determined concerned disappointed ashamed embarrassed scared bummed pumped hyped "
    "open new willing wondering right wrong down up out off away serious free available alone jealous "
    "touched speechless"
)
