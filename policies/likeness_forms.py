"""Base forms of English words, by endings and a list of what is irregular."""

from __future__ import annotations

from policies.grounds import word_set

_IRREGULAR = """
go went gone goes; come came; run ran; see saw seen; eat ate eaten; drink drank drunk; give gave given; take took taken;
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
wife wives; leaf leaves; shelf shelves; half halves; loaf loaves; scarf scarves; person persons; potato potatoes; tomato tomatoes; bus buses; hero heroes;
"""
_AS_IT_IS = word_set(
    "evening morning during thing something nothing anything everything ceiling wedding building always perhaps series "
    "species unless will hundred sacred pleased tired scared frightened terrified exhausted excited delighted crowded married divorced widowed engaged bored "
    "interested worried surprised united physics tennis glasses news lens"
)
_UNCHANGED = word_set("cut put hit shut set read hurt let spread cast split quit bet shed")
_PRESENT = word_set("lying dying tying goes")
_VOWELS = frozenset("aeiouy")
_WITH_E = word_set(
    "abuse accuse acquire admire advertise age amuse announce apologise argue arise arrange arrive ascribe bake balance bathe behave "
    "believe bike bite blame bore bounce breathe bribe bruise calculate care carve cause cease celebrate challenge change charge "
    "chase choose close code combine come commute compare compete complete compose concentrate conclude cope create cripple cruise "
    "cure cycle damage dance date debate decide declare decline decorate define delete describe deserve desire determine devote dine "
    "dislike dissolve divide dive divorce donate double drape dribble drive educate embrace emerge enclose encourage engage escape "
    "estimate evaluate examine exchange excite exclude excuse exercise explode explore expose face fade feature file fire force "
    "frame freeze gaze glare glide graduate grate graze guarantee guide handle hate have hide hike hire hope hurdle ignore imagine "
    "improve include increase injure inquire inspire invade invite involve isolate joke juggle lecture leave lie like line "
    "live locate lose love lounge make manage measure merge move name navigate negotiate nestle notice note observe operate organise "
    "organize oppose outline owe pace paddle page pare participate paste pause perspire phone pile place pledge poke pose postpone "
    "practice practise prepare preserve probe produce promise promote propose prove provide prune pursue puzzle race raise rate "
    "realise realize receive recline recognise recognize reduce refuse release relocate remove replace require rescue reserve reside "
    "resolve retire reverse ride rinse rise rule saddle sample save scare scrape scribble seize separate serve settle shake shape share "
    "shave shine shove skate slice slide smile smoke snore solve space squeeze stare state store struggle subscribe "
    "surprise survive suppose tackle take taste tease terminate tickle tie time tire toggle translate trace trade trouble tumble "
    "type unite use value vote wade wake waste wave weave welcome whistle wipe wrestle wrinkle write"
)
_ENDS_WITH_E = ("v", "c", "u", "z", "dg")


def _forms() -> dict[str, str]:
    lines = [each.split() for each in (_IRREGULAR + ";" + _PLURALS).replace("\n", " ").split(";") if each.strip()]
    return {form: first for first, *others in lines for form in others}


_FORMS = _forms()
_PLURAL_FORMS = frozenset(form for form in _PLURALS.replace(";", " ").split() if form in _FORMS)
IRREGULAR_PAST = (
    frozenset(form for line in _IRREGULAR.replace("\n", " ").split(";") for form in line.split()[1:]) - _PRESENT
)


def base(word: str) -> str:
    """One form for the forms of a lower-case word: "riding", "rode" and "rides" give "ride"."""
    word = _FORMS.get(word, word)
    if len(word) < 4 or word in _AS_IT_IS:
        return word
    end = word[-1]
    if end == "g" or end == "d":
        for ending in ("ing", "ed"):
            if word.endswith(ending) and word[-3:] != "eed":
                rest = word[: -len(ending)]
                if len(rest) > 1 and not _VOWELS.isdisjoint(rest):
                    return _with_its_end(rest)
    elif end == "s" and word[-2] not in "sui":
        if word.endswith("ies") and len(word) > 4:
            return word[:-3] + "y"
        return _single_end(word[:-2] if word.endswith(("ches", "shes", "sses", "xes", "zzes")) else word[:-1])
    return _single_end(word)


def phrase_base(phrase: str) -> str:
    """The same for words joined by "_"."""
    return "_".join(base(part) for part in phrase.split("_"))


def is_participle(word: str) -> bool:
    """May it follow a form of "be" as a passive?"""
    return word in _UNCHANGED or is_past(word)


def is_past(word: str) -> bool:
    """Is it a past form or a participle?"""
    return word in IRREGULAR_PAST or (
        len(word) > 4 and word.endswith("ed") and word[-3:] != "eed" and word not in _AS_IT_IS
    )


def is_plural(word: str) -> bool:
    """Does it look like the plural of a noun?"""
    return word in _PLURAL_FORMS or (len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")))


def _with_its_end(rest: str) -> str:
    """What stood before "ing" or "ed"."""
    if rest[-1] == "i" and len(rest) > 2:
        return rest[:-1] + "y"
    if rest + "e" in _WITH_E or rest.endswith(_ENDS_WITH_E):
        return rest + "e"
    return _single_end(rest)


def _single_end(stem: str) -> str:
    """Without the doubling of "running" and "stopped"."""
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiou" else stem


def verbs(text: str) -> frozenset[str]:
    """The verbs of a list, in every form that `base` gives them: it takes "installed" for a form of "instal"."""
    every = text.split()
    return frozenset(each for verb in every for each in (verb, base(verb), base(f"{verb.removesuffix('e')}ed")))
