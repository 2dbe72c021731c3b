"""Is a text written in a language that the local extractor can parse?"""

from __future__ import annotations

import re
import unicodedata

from lethe.extraction.words import words

# Function words alone: they say in which language a sentence is built, whatever names stand in it.
_ENGLISH = words(
    "the a an and or but of to in on at for with from by as is am are was were be been have has had do "
    "does did i you he she it we they my your his her our their me him us them this that these those not "
    "no can could will would should what when where how why who which if so just please always never "
    "about i'm i've don't it's called name"
)
_OTHERS = words(
    "ich du er sie wir ihr ist bin sind war und oder aber nicht kein keine der die das den dem des ein "
    "eine einen einem mein meine meinen meiner mit für auf bei nach von zu zum zur wie wenn dass auch "
    "noch immer bitte habe hat haben werde je tu il elle nous vous ils elles le la les un une de et ou "
    "mais pas ne est suis sont mon ma mes avec pour dans sur chez que qui quoi comment toujours j'ai "
    "c'est s'il plaît yo él ella nosotros el los las una unos y o pero no es soy son mi mis con para en "
    "por como siempre favor tengo eu ele ela nós os as um uma e mas não é sou meu minha com em sempre "
    "tenho vivo io lui lei noi gli uno sono mio mia che per non ho ik jij hij zij wij het een van maar "
    "niet mijn met voor op bij altijd jag han hon vi ett och men inte är min mitt med för på alltid jeg "
    "hun ikke til altid har bor jestem nie się na z do w że mam mój moja minä olen on ja ei mutta asun "
    "että ben bir ve değil için benim"
)
# Words of English too, and particles of names ("Rue de la Paix", "von der Heide").
_SHARED = words(
    "a o e y i in on no do as is per me he die war also so will man under van de la le du von der den el al dos das da di del des ben bin mit"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def unsupported_language(text: str) -> bool:
    """True where the text is plainly not English: by its script, or by function words of another language.

    Names in any script inside an English sentence, and texts too short to tell, are not foreign.
    """
    sample = text[:600]
    spoken = [word.lower().replace("’", "'") for word in _WORD.findall(sample)]
    if not spoken:
        return False
    english = sum(word in _ENGLISH for word in spoken)
    if _share_of_foreign_letters(sample) > 0.5:
        return english < 2
    foreign = sum(word in _OTHERS and word not in _ENGLISH and word not in _SHARED for word in spoken)
    shared_only = sum(word in _ENGLISH and word not in _SHARED for word in spoken)
    return foreign >= 2 and foreign > 1.5 * shared_only and foreign >= 0.2 * len(spoken)


def _share_of_foreign_letters(text: str) -> float:
    if text.isascii():
        return 0.0
    letters = [letter for letter in text if letter.isalpha()]
    foreign = sum(not unicodedata.name(letter, "LATIN").startswith(("LATIN", "FULLWIDTH LATIN")) for letter in letters)
    return foreign / len(letters) if letters else 0.0
