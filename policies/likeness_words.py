"""What words have to do with each other, as far as telling two statements apart needs it: general knowledge of English,
written by hand. A word is in its base form; words of a phrase are joined by "_".
"""

from __future__ import annotations

from policies.likeness_forms import phrase_base

# Words that stand for each other in nearly every sentence.
_SYNONYMS = """
man guy male gentleman fellow; woman lady female; child kid youngster; toddler tot; boy lad; baby infant; person human
individual somebody someone; people folk human persons; friend buddy pal; doctor physician; lawyer attorney; teacher
instructor; cop policeman police_officer; spectator onlooker; sofa couch settee; bicycle bike; motorcycle motorbike;
car automobile auto; plane airplane aircraft aeroplane; rabbit bunny; dog canine doggy; cat feline kitty; kitten kitty;
horse equine; donkey ass; road street; path trail track; pavement sidewalk; shop store; movie film motion_picture;
picture image photo photograph; photographer cameraman; rock stone boulder; forest wood woods woodland; ocean sea;
shore coast; hill slope; trousers pants slacks; sneaker trainer; spectacles eyeglasses glasses; rubbish garbage trash;
autumn fall_season; gift present; mistake error; phone telephone; television tv telly; cell_phone mobile_phone
smartphone; cookie biscuit; elevator lift; apartment flat; vacation holiday; company firm corporation business; worker
employee; occupation profession job; ceo chief_executive chief_executive_officer; percent per_cent; car_park
parking_lot; petrol gasoline gas; football_field football_pitch; rug carpet; cup mug; bag sack; pan skillet; stove
cooker; fridge refrigerator; yard backyard; harbour harbor port; colour color; grey gray; centre center middle; theatre
theater; neighbour neighbor; favourite favorite; kilometre kilometer km; metre meter; kilogram kilo kg; gram g; litre
liter; centimetre centimeter cm; hour hr; minute min; dollar buck; united_states usa america united_states_of_america;
united_kingdom uk britain great_britain; crowd throng; audience spectators; band music_group; meal repast; speech talk;
instrument musical_instrument; start begin commence; end finish conclude; stop cease halt quit; buy purchase; get
receive obtain; show display exhibit; throw toss hurl; hold grasp grip clutch; grab seize snatch; cut slice chop;
repair fix mend; build construct erect; help assist aid; need require; choose select pick; allow permit let; forbid
prohibit ban; say state tell; declare proclaim; ask inquire; answer reply respond; think believe; like enjoy fond_of;
love adore; hate detest loathe despise cannot_stand abhor; want desire wish; shout yell scream; cry weep sob; smile
grin; jump leap hop; run sprint dash race; jog trot; walk stroll amble stride take_a_stroll take_a_walk go_for_a_walk;
watch observe look_at view; stare gaze; speak talk chat converse; sleep slumber asleep; rest relax repose; die
pass_away perish; kill slay; hurt injure harm; rise ascend; climb ascend scale; increase grow rise; decrease decline
fall drop; delay defer postpone put_off; cancel call_off; try attempt; happen occur take_place; use utilise utilize
employ; gather collect assemble; play frolic romp; eat consume devour; drink sip; pull tug drag; push shove; hit
strike; beat defeat; catch capture; hide conceal; mix blend stir; wash rinse; scrub scour; shut close; carry bear; lift
raise hoist; perform act; sing croon; draw sketch; fight brawl battle; embrace hug cuddle; marry wed get_married; hurry
rush hasten; travel journey; live_in reside_in; live reside dwell; own possess; lead guide; teach instruct; earn
make_money; trim clip; cook prepare; peel pare; lean recline; float drift; fly soar; wear have_on dress_in; surround
encircle; wait await; announce report; include comprise; approve endorse; admit acknowledge; accuse charge; reject
refuse turn_down; resign step_down; discuss talk_about; big large; huge enormous giant gigantic massive immense
colossal vast; small little tiny; tiny minuscule miniature; happy glad joyful cheerful delighted pleased content; sad
unhappy sorrowful gloomy; angry furious enraged irate; fast quick rapid speedy swift quickly rapidly; slow slowly;
beautiful pretty lovely gorgeous attractive; smart intelligent clever; stupid dumb; rich wealthy affluent; old elderly
aged; young youthful; brave courageous; scared afraid frightened terrified; tired exhausted weary fatigued; sick ill
unwell; hard difficult tough; easy simple; silent quiet noiseless; loud noisy; empty vacant; dirty filthy grimy; thin
slim slender skinny; fat obese overweight; strong powerful; important significant; main chief principal; whole entire;
correct right accurate; wrong incorrect; famous well_known; strange odd weird; enough sufficient; near close_to nearby;
beside next_to alongside adjacent_to; far_from far_away_from; opposite across_from; above over; below beneath under
underneath; behind in_back_of; inside indoors; outside outdoors; crowded packed; wet soaked drenched; modern
contemporary; bare naked; odour smell; funny amusing humorous; various diverse; shiny gleaming glossy; round circular;
almost nearly; often frequently; maybe perhaps possibly; many numerous lots lots_of lot_of plenty_of; each every; all
every; approximately about around roughly; also too additionally; yearly annual annually per_year; daily each_day
every_day; due_to because_of owing_to; except apart_from; because since; until till; although though; bucket pail;
faucet tap; flashlight torch; couple duo pair; crosswalk zebra_crossing pedestrian_crossing; diaper nappy; drugstore
pharmacy; eggplant aubergine; zucchini courgette; corn maize; candy sweets; truck lorry; subway metro underground;
railway railroad; freeway motorway highway; garbage_can trash_can dustbin; grandma grandmother granny; grandpa
grandfather; mom mum mother mommy; dad father daddy; stomach belly tummy; singer vocalist; performer entertainer;
swimming_pool pool; t_shirt tee_shirt; sweater jumper pullover; purse handbag; rucksack backpack knapsack; rope cord;
puppy pup; pig hog swine; bug insect; snake serpent; ship vessel; luggage baggage; parcel package; clothing clothes
apparel garment; summit peak; student pupil; competition contest; prize award; fan supporter; illness disease sickness;
drug medicine medication; cemetery graveyard; jail prison; argue quarrel; attach fasten affix; comprehend understand;
connect link; continue proceed; demonstrate show; depart leave; destroy ruin wreck demolish; disappear vanish;
encounter meet; enlarge expand; examine inspect; explain clarify; finish complete; forgive pardon; found establish
set_up; giggle chuckle; scare frighten; greet welcome; guard protect defend; inform notify tell; locate find discover; position place
put; praise commend; promise vow pledge; recall remember recollect; remain stay; remove take_away; rescue save; reveal
disclose; search look_for seek; separate split divide; snooze nap doze; spin rotate twirl whirl; stumble trip;
transport convey; wander roam; amazing incredible astonishing; wonderful fantastic terrific great
marvellous; awful terrible horrible dreadful; calm peaceful tranquil; cheap inexpensive; expensive costly pricey;
chilly cold; crazy insane; deadly lethal fatal; delicious tasty yummy; essential vital crucial; lazy idle; lucky
fortunate; messy untidy; nice pleasant; ordinary normal usual common; rare uncommon unusual; polite courteous; rude
impolite; safe secure; shy timid bashful; silly foolish; weak feeble; wide broad; colourful colorful multicoloured
multicolored; quietly silently; loudly noisily; happily cheerfully joyfully; carefully cautiously; immediately
instantly at_once; suddenly abruptly; usually normally generally; rarely seldom hardly_ever; onstage on_stage; unhappy
miserable; reply respond; gathered assembled; author writer; physician medic; fortnight two_weeks; noon midday; dawn
daybreak sunrise; dusk sunset nightfall; reduce lower cut; buy acquire; hire recruit; dismiss fire sack; salary pay
wage; price cost; purpose aim goal; idea notion; rich well_off; ask request; order command; broken damaged;
snow_covered snowy; bald hairless; blond blonde; handsome good_looking; cloth fabric; brook stream creek; meadow
pasture; cab taxi; sidewalk footpath; bin wastebasket; refuse decline
"""

_ANTONYMS = """
love hate; like dislike; like hate; love dislike; enjoy hate; enjoy dislike; want refuse; accept reject; agree disagree;
agree refuse; approve reject; allow forbid; trust distrust; start stop; start end; open shut; arrive leave; come go; enter leave;
enter exit; buy sell; win lose; rise fall; increase decrease; increase reduce; raise lower; gain lose; push pull; give take;
send receive; lend borrow; remember forget; find lose; laugh cry; smile frown; succeed fail; pass fail; love despise;
sleep wake; asleep awake; sit stand; stand lie; sit run; stand run; walk run; dress undress; fill empty; lock unlock; plug unplug;
appear disappear; attack defend; build destroy; break repair; join leave; hire fire; marry divorce; include exclude; save spend; float sink;
show hide; throw catch; freeze melt; speed_up slow_down; turn_on turn_off; put_on take_off; pick_up put_down; lead follow;
on off; in out; up down; inside outside; above below; before after; over below; front back; left right; top bottom; upstairs downstairs;
near far; near far_from; far close; with without; to from; into out_of; towards away_from; for against; onto off;
north south; east west; northern southern; eastern western; upper lower; inner outer; indoor outdoor;
always never; often rarely; often seldom; all none; all no; everybody nobody; everyone nobody; everything nothing; something nothing;
many few; much little; more less; most least; more fewer; most few;
big small; large small; huge small; huge little; big little; tall short; long short; high low; wide narrow; broad narrow;
deep shallow; thick thin; fat thin; heavy light; hot cold; warm cold; warm cool; hot cool; wet dry; clean dirty; full empty; crowded empty;
new old; young old; early late; first last; fast slow; loud quiet; silent loud; strong weak; hard soft; hard easy; rough smooth;
rich poor; happy sad; good bad; best worst; better worse; right wrong; true false; possible impossible; legal illegal; safe dangerous;
beautiful ugly; pretty ugly; smart stupid; brave scared; brave cowardly; polite rude; kind cruel; calm angry; awake tired;
dead alive; sick healthy; married single; married divorced; pregnant childless; public private; remote onsite; local foreign;
light dark; bright dark; bright dim; sunny cloudy; sunny rainy; day night; sharp blunt; straight curved; straight curly; tight loose;
open closed; visible invisible; same different; similar different; alone together; active inactive; enabled disabled; cheap expensive;
vegetarian carnivore; employed unemployed; temporary permanent; optional mandatory; required optional; positive negative;
major minor; maximum minimum; even odd; ancient modern; artificial natural; raw cooked; sweet sour; sweet bitter; sober drunk;
present absent; single double; left_handed right_handed; introvert extrovert; morning evening; arrival departure; entrance exit;
friend enemy; winner loser; success failure; war peace; victory defeat; adult child; beginner expert; buyer seller; beginning end; increase cut;
well badly; quickly slowly; carefully carelessly; quietly loudly; happily sadly; often never; black white; sun moon; military civilian
"""


def _synonyms() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for number, line in enumerate(_SYNONYMS.replace("\n", " ").split(";")):
        for word in map(phrase_base, line.split()):
            found.setdefault(word, {word}).add(f"={number}")
    return {word: frozenset(meanings) for word, meanings in found.items()}


def _antonyms() -> frozenset[tuple[str, str]]:
    pairs = [[phrase_base(word) for word in each.split()] for each in _ANTONYMS.replace("\n", " ").split(";")]
    return frozenset(two for one, other in pairs for two in ((one, other), (other, one)))


SYNONYMS = _synonyms()
ANTONYMS = _antonyms()
_OPPOSED = frozenset(word for word, _ in ANTONYMS)
_PREFIXES = ("un", "dis", "non", "im", "in", "ir")
_BY_MEANING: dict[str, set[str]] = {}
for _word, _meanings in SYNONYMS.items():
    for _meaning in _meanings:
        _BY_MEANING.setdefault(_meaning, set()).add(_word)


def meanings(word: str) -> frozenset[str]:
    """A base form and the marks of the meanings that it shares with others: two words that share one are synonyms."""
    return SYNONYMS.get(word) or frozenset((word,))


def synonyms(word: str) -> frozenset[str]:
    """A base form and all that say the same."""
    return frozenset((word,)).union(*(_BY_MEANING[meaning] for meaning in SYNONYMS.get(word, ())))


def are_antonyms(one: str, other: str) -> bool:
    """Opposites, or synonyms of opposites; "happy" and "unhappy"."""
    short, long = sorted((one, other), key=len)
    if len(short) > 3 and long.endswith(short) and long.removesuffix(short) in _PREFIXES:
        return True
    return any((left, right) in ANTONYMS for left in _alike(one) for right in _alike(other))


def _alike(word: str) -> frozenset[str]:
    return synonyms(word) & _OPPOSED


PHRASES = frozenset(word for word in {*SYNONYMS, *_OPPOSED} if "_" in word)
