"""Events in the words of questions and of sentences: stems, irregular verbs, and words that tell one kind of event."""

import functools

from likewise.analyse.folding import fold
from likewise.analyse.words import stem

# Questions have the verb (*did it win*) where sentences have its past (*won*), which no stemmer knows.
_IRREGULAR = """
arise arose arisen; awake awoke awoken; bear bore borne; beat beaten; become became; begin began begun; bend bent;
bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken; bring brought; build built; buy bought;
catch caught; choose chose chosen; come came; cut; deal dealt; dig dug; draw drew drawn; drink drank drunk; drive drove
driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fly flew flown;
forbid forbade forbidden; freeze froze frozen; get got gotten; give gave given; go went gone; grow grew grown; hang
hung; hear heard; hide hid hidden; hold held; keep kept; know knew known; lay laid; lead led; leave left; lend lent;
lose lost; make made; mean meant; meet met; pay paid; overthrow overthrew overthrown; ride rode ridden; ring rang rung;
rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent; shake shook shaken; shoot shot;
show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; slay slew slain; sleep slept; speak spoke
spoken; spend spent; spring sprang sprung; stand stood; steal stole stolen; stick stuck; strike struck stricken; swear
swore sworn; sweep swept; swim swam swum; take took taken; teach taught; tear tore torn; tell told; think thought; throw
threw thrown; undertake undertook undertaken; wake woke woken; wear wore worn; weave wove woven; win won; withdraw
withdrew withdrawn; write wrote written
"""
# The frequent kinds of events, with the words that tell them. One of a kind speaks for the others.
KINDS = {
    "birth": "born birth birthday",
    "death": "die died dies death dead killed assassinated executed murdered drowned suicide",
    "founding": "founded founder founding established formed incorporated created started organized",
    "invention": "invented invention patented developed inventor designed",
    "introduction": "introduced introduction unveiled launched debuted",
    "beginning": "begin began begun start started commenced outbreak broke",
    "ending": "end ended ends over ceased concluded finished",
    "dissolution": "dissolved dissolution disbanded collapsed collapse split breakup fell broke",
    "building": "built build constructed erected construction completed finished opened",
    "destruction": "destroyed destruction demolished razed",
    "wedding": "married marry wedding marriage wed",
    "publication": "published publish released appeared issued",
    "performance": "performed premiered premiere debuted",
    "election": "elected election",
    "murder": "shot assassinated assassination murdered killed",
    "execution": "executed execution hanged beheaded",
    "sinking": "sink sank sunk sinking",
    "eruption": "erupt erupted eruption",
    "explosion": "exploded explosion bombed disaster",
    "crash": "crash crashed disaster",
    "statehood": "state statehood admitted",
    "independence": "independent independence sovereignty",
    "purchase": "buy bought purchased purchase acquired acquisition",
    "sale": "sold sale",
    "writing": "write wrote written composed completed",
    "battle": "fought battle fight",
    "invasion": "invaded invasion occupied occupation",
    "conquest": "conquered conquest captured seized occupied",
    "discovery": "discovered discovery discover isolated identified",
    "arrival": "arrived arrival reached landed landing",
    "flight": "flew flight",
    "accession": "joined join member admitted",
    "becoming": "become admitted elected appointed inaugurated crowned sworn succeeded",
    "coronation": "crowned coronation throne",
    "leaving": "resigned resignation retired left quit withdrew withdrawal seceded secession departed",
    "victory": "win won victory awarded received",
    "treaty": "signed treaty ratified concluded adopted",
    "law": "passed enacted approved adopted",
    "moving": "moved relocated",
    "naming": "named renamed name",
    "leading": "lead led leader",
    "closing": "close closed closure shut ceased",
    "stopping": "stop stopped ceased discontinued ended abandoned quit",
    "abolition": "abolish abolished abolition repealed suspended banned outlawed prohibited",
    "merger": "merge merged merger amalgamated",
    "expiry": "expired lapsed ended",
    "opening": "open opened opening inaugurated inauguration",
    "striking": "hit struck landfall",
    "ascent": "climbed ascent ascended scaled summit",
    "attack": "attacked bombed bombing raided raid",
    "surrender": "surrendered surrender capitulated capitulation",
    "declaration": "declared declaration proclaimed proclamation",
    "overthrow": "overthrown ousted deposed toppled coup expelled",
    "trial": "convicted conviction sentenced guilty trial tried",
    "arrest": "arrested arrest captured imprisoned jailed",
    "liberation": "freed liberated liberation emancipated",
    "settlement": "settled settlement colonized colonised colony settlers",
    "unification": "united unified unification",
    "reunification": "reunited reunified reunification",
    "annexation": "annexed annexation ceded",
    "broadcast": "aired broadcast televised",
    "vote": "vote voted referendum suffrage",
}


def stems(words: list[str]) -> list[str]:
    """Return the stems by which questions and nuggets are compared: Brontë is Bronte, U.S. is US, 1.2 is not 12.

    >>> stems(["U.S.", "won", "winning", "founded", "found", "1.2", "Brontë"])
    ['us', 'win', 'win', 'found', 'find', '1.2', 'bront']
    """
    plain = (word if word[:1].isdigit() else word.replace(".", "") for word in fold(words))
    return stem([irregular().get(word, word) for word in plain], "english")


@functools.cache
def irregular() -> dict[str, str]:
    """Return the verb that an irregular form belongs to."""
    lines = (line.split() for line in _IRREGULAR.split(";"))
    return {form: verb for verb, *forms in lines for form in forms}


@functools.cache
def kind_stems(*kinds: str) -> frozenset[str]:
    """Return the stems that tell one of these kinds of events."""
    return frozenset(stems(" ".join(KINDS[kind] for kind in kinds).split()))


@functools.cache
def same_kind() -> dict[str, frozenset[str]]:
    """Return, for the stem of a word that tells a kind of event, the stems of the others of its kinds.

    >>> sorted(same_kind()["birthday"])
    ['birth', 'born']
    """
    made: dict[str, set[str]] = {}
    for line in KINDS.values():
        kind = set(stems(line.split()))
        for one in kind:
            made.setdefault(one, set()).update(kind - {one})
    return {one: frozenset(others) for one, others in made.items()}
