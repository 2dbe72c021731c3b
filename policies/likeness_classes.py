"""Classes of words of which one slot of a statement holds one, and what is a kind of what. General knowledge of English,
written by hand; words of a phrase are joined by "_".
"""

from __future__ import annotations

from policies.grounds import word_set
from policies.likeness_forms import phrase_base

# One line, one class: of these, one slot of one statement holds one.
_CLASSES = {
    "colour": "red blue green yellow orange purple pink brown black white grey violet turquoise beige maroon golden silver "
    "crimson scarlet magenta cyan teal navy lilac tan",
    "day": "monday tuesday wednesday thursday friday saturday sunday",
    "month": "january february march april june july august september october november december",
    "season": "spring summer autumn winter",
    "part of day": "morning noon afternoon evening midnight dawn dusk",
    "meal": "breakfast lunch dinner supper brunch",
    "direction": "north south east west northern southern eastern western northeast northwest southeast southwest",
    "frequency": "hourly daily weekly fortnightly monthly quarterly yearly",
    "unit": "second minute hour day week month year decade century millimetre centimetre metre kilometre mile inch foot yard "
    "gram kilogram pound ounce ton litre gallon pint dollar euro pound yen percent degree kilobyte megabyte gigabyte terabyte "
    "thousand million billion trillion",
    "room": "kitchen bathroom bedroom living_room dining_room classroom courtroom office attic basement cellar garage hallway "
    "corridor lobby library waiting_room ballroom boardroom dressing_room locker_room nursery pantry laundry_room study "
    "conference_room meeting_room operating_room emergency_room hotel_room playroom closet darkroom common_room prison_cell sitting_room drawing_room lounge storeroom engine_room control_room changing_room family_room guest_room studio",
    "place": "park beach forest desert mountain city village school hospital church museum restaurant cafe bar bank airport "
    "train_station market mall stadium theatre cinema prison zoo farm garden swimming_pool gym",
    "instrument": "guitar piano violin cello flute clarinet trumpet trombone saxophone drum harp banjo ukulele accordion "
    "harmonica oboe bassoon tuba viola mandolin organ keyboard xylophone tambourine bagpipe bugle cymbal fiddle lute "
    "acoustic_guitar electric_guitar bass_guitar double_bass french_horn horn synthesizer recorder piccolo triangle lyre sitar",
    "vegetable": "carrot potato tomato onion cucumber lettuce cabbage spinach broccoli cauliflower pea bean corn pepper celery "
    "garlic beetroot radish turnip zucchini courgette eggplant aubergine pumpkin squash asparagus leek mushroom kale artichoke "
    "sweet_potato parsnip ginger",
    "fruit": "apple banana orange pear grape cherry peach plum apricot strawberry raspberry blueberry blackberry lemon lime "
    "melon watermelon pineapple mango kiwi fig date papaya coconut grapefruit pomegranate",
    "drink": "water coffee tea milk juice beer wine cider whiskey whisky vodka rum gin brandy champagne soda lemonade cocoa "
    "coke cola orange_juice apple_juice hot_chocolate red_wine white_wine cocktail tequila sake espresso cappuccino smoothie "
    "milkshake liquor sherry oat_milk soy_milk almond_milk martini bourbon scotch cognac sparkling_water",
    "dish": "pizza pasta soup salad sandwich burger hamburger rice noodle sushi steak stew curry",
    "meat": "beef pork chicken lamb mutton turkey veal bacon ham",
    "material": "wood metal plastic glass paper stone concrete cement cotton wool silk leather rubber steel iron copper silver "
    "gold bronze brass aluminium tin lead clay marble granite brick sand linen nylon polyester velvet denim cardboard ceramic "
    "wooden woollen ice asphalt porcelain bamboo gravel plaster wax",
    "sport": "football soccer basketball baseball volleyball tennis golf hockey rugby cricket badminton handball table_tennis "
    "water_polo lacrosse softball chess ping_pong squash bowling",
    "vehicle": "car bus truck train tram bicycle motorcycle plane boat ship helicopter taxi van scooter tractor subway",
    "shape": "circle square triangle rectangle oval hexagon pentagon round rectangular triangular",
    "planet": "mercury venus earth mars jupiter saturn uranus neptune pluto moon",
    "continent": "africa asia europe antarctica australia north_america south_america",
    "country": "afghanistan albania algeria angola argentina armenia australia austria azerbaijan bahrain bangladesh belarus "
    "belgium belize benin bhutan bolivia bosnia botswana brazil bulgaria burundi cambodia cameroon canada chad chile china "
    "colombia congo costa_rica croatia cuba cyprus czech_republic czechia denmark dominican_republic ecuador egypt el_salvador "
    "england eritrea estonia ethiopia fiji finland france gabon gambia georgia germany ghana greece guatemala guinea guyana "
    "haiti honduras hungary iceland india indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya kuwait "
    "kyrgyzstan laos latvia lebanon lesotho liberia libya liechtenstein lithuania luxembourg madagascar malawi malaysia maldives "
    "mali malta mauritania mauritius mexico moldova monaco mongolia montenegro morocco mozambique myanmar namibia nepal "
    "netherlands holland new_zealand nicaragua niger nigeria north_korea norway oman pakistan panama paraguay peru philippines "
    "poland portugal qatar romania russia rwanda saudi_arabia scotland senegal serbia seychelles sierra_leone singapore slovakia "
    "slovenia somalia south_africa south_korea spain sri_lanka sudan sweden switzerland syria taiwan tajikistan tanzania "
    "thailand togo tunisia turkey turkmenistan uganda ukraine united_arab_emirates united_kingdom united_states uruguay "
    "uzbekistan venezuela vietnam wales yemen zambia zimbabwe",
    "nationality": "american argentinian australian austrian belgian brazilian british bulgarian canadian chilean chinese "
    "colombian croatian cuban czech danish dutch egyptian english estonian ethiopian finnish french german greek hungarian "
    "icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese kenyan korean latvian lebanese "
    "lithuanian malaysian mexican mongolian moroccan nepalese nigerian norwegian pakistani peruvian polish portuguese romanian "
    "russian scottish serbian slovak slovenian somali spanish swedish swiss syrian taiwanese thai tunisian turkish ukrainian "
    "vietnamese welsh african asian european arabic hindi faroese north_korean south_korean saudi south_african sri_lankan afghan algerian bolivian burmese cambodian congolese costa_rican ecuadorian filipino ghanaian jordanian kuwaiti libyan nepali sudanese ugandan venezuelan yemeni zimbabwean",
    "status": "single married divorced widowed engaged",
}
# A narrower word, then what it is a kind of: the denial of the wider contradicts the narrower.
_KINDS = """
person: man woman boy girl child baby toddler adult teenager player singer musician dancer guy doctor worker
people: man woman boy girl child adult teenager couple player person
animal: dog cat horse rabbit cow sheep pig bird monkey elephant tiger lion bear panda lemur deer goat hamster
instrument: guitar piano violin cello flute clarinet trumpet trombone saxophone drum harp banjo
vegetable: carrot potato tomato onion cucumber cabbage broccoli zucchini pepper
fruit: apple banana orange pear grape cherry peach lemon melon strawberry
food: vegetable fruit meat bread rice pizza fish egg meal
meat: beef pork chicken lamb ham bacon
vehicle: car bus truck train bicycle motorcycle van
child: boy girl toddler
"""


VERBS = frozenset(
    phrase_base(word)
    for word in word_set(
        "accept act add agree allow answer appear arrive ask attack attend bake balance bark beat become begin believe bite block "
        "blow boil break bring brush build burn buy call carry catch celebrate change chase chew choose chop clap clean climb close "
        "collect come cook count cover cross cry cut dance defend deliver destroy dig dive do drag draw drink drive drop eat end "
        "enjoy enter expect explain fall feed feel fight fill find finish fix float fly fold follow forget fry gather get give go "
        "grab graze grow guide hang happen hate have hear help hide hit hold hop hug hurt jog join juggle jump keep kick kiss "
        "knit know laugh lead lean learn leave lick lie lift listen live look lose love make march marry meet melt mix move need "
        "offer open order own paddle paint pay peel perform pet pick plan play point pose pour practice prefer prepare pull push put "
        "race raise reach read receive record remove rest ride rise roll run say see sell send set sew shake shoot shout show "
        "sing sit skate ski sleep slice slide smile smoke speak spend spin splash spray spread stand start stay stir stop strum "
        "study surf sweep swim swing take talk taste teach tell think throw tie toss touch train travel try turn type use visit "
        "wait walk want wash watch wave wear win wipe work wrestle write require run cost own contain weigh last cannot_stand"
    )
)


def _classes() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, members in _CLASSES.items():
        for word in map(phrase_base, members.split()):
            found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


def _wider() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _KINDS.strip().splitlines():
        kind, members = line.split(":")
        for word in map(phrase_base, members.split()):
            found.setdefault(word, set()).add(phrase_base(kind))
    return {word: frozenset(kinds) for word, kinds in found.items()}


CLASSES = _classes()
WIDER = _wider()


def exclude_each_other(one: str, other: str) -> bool:
    """Two members of a class of which one slot holds one: red and blue, Monday and Friday."""
    return bool(CLASSES.get(one, frozenset()) & CLASSES.get(other, frozenset()))
