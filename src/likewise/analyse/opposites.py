"""Words that exclude each other: members of one class (months, directions, family), opposites, negations."""

# Members of one class are siblings, never ways to say the same.
_CLASSES = {
    word: kind
    for kind, words in {
        "number": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred "
        "hundreds thousand thousands million millions billion billions trillion dozen dozens half third "
        "quarter zero single double triple both several",
        "ordinal": "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
        "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth next last final "
        "previous",
        "month": "january february march april may june july august september october november december",
        "weekday": "monday tuesday wednesday thursday friday saturday sunday",
        "time": "second seconds minute minutes hour hours day days night nights week weeks month months year "
        "years decade decades century centuries millennium millennia",
        "direction": "north south east west northern southern eastern western northeast northwest southeast southwest "
        "northeastern northwestern southeastern southwestern left right top bottom centre center front "
        "rear",
        "season": "spring summer autumn fall winter",
        "part of a day": "morning afternoon evening night noon midnight",
        "part of a time": "early mid late",
        "family": "father mother son daughter brother sister husband wife uncle aunt nephew niece grandfather "
        "grandmother grandson granddaughter parents children sons daughters brothers sisters king queen "
        "prince princess man woman men women boy girl boys girls",
        "colour": "red orange yellow green blue purple violet brown black white grey gray pink",
    }.items()
    for word in words.split()
}
_PAIRS = """
high/low great/small higher/lower highest/lowest large/small larger/smaller largest/smallest big/small long/short
longer/shorter longest/shortest more/less most/least more/fewer many/few much/little good/bad better/worse
best/worst old/new older/younger oldest/youngest old/young ancient/modern early/late earlier/later upper/lower
inner/outer internal/external inside/outside above/below before/after following/preceding next/previous
past/future begin/end beginning/end began/ended started/ended start/end start/stop open/closed opened/closed
open/close birth/death born/died life/death won/lost win/lose victory/defeat gain/loss increase/decrease
increased/decreased increasing/decreasing increases/decreases rise/fall rose/fell positive/negative true/false
public/private foreign/domestic male/female males/females he/she his/her him/her himself/herself urban/rural
rich/poor strong/weak hot/cold warm/cool wet/dry heavy/light hard/soft deep/shallow wide/narrow thick/thin
full/empty presence/absence success/failure advantage/disadvantage advantages/disadvantages friend/enemy
war/peace accepted/rejected accept/reject allowed/forbidden allow/prevent allows/prevents enable/disable
enabled/disabled enables/disables add/remove added/removed adding/removing adds/removes send/receive
sent/received read/write reading/writing import/export input/output source/destination client/server host/guest
parent/child buy/sell bought/sold give/take given/taken gave/took come/go came/went arrive/leave arrived/left
enter/leave push/pull attack/defence attack/defense majority/minority minimum/maximum minimal/maximal least/most
always/never rarely/often rarely/frequently rare/common everything/nothing all/none same/different
similar/different like/unlike with/without up/down in/out on/off over/under to/from for/against sea/land
sun/moon day/night teacher/student author/reader cause/effect question/answer simple/complex easy/difficult
easier/harder left/right north/south east/west top/bottom front/back yes/no horizontal/vertical physical/mental
greater/less greater/smaller greater/fewer next/past last/next this/last drop/rise decline/rise decline/increase
fall/increase drop/increase drop/gain decline/gain decline/improvement fall/improvement declined/rose dropped/rose
fell/increased after/prior opening/closing opening/close request/response request/reply requests/responses
requests/replies login/logout encode/decode encoded/decoded encoding/decoding encrypt/decrypt upload/download
"""
# German, French and Spanish, none of which is another word in English.
_ELSEWHERE = """
oben/unten obere/untere oberen/unteren obigen/nachfolgenden obigen/folgenden vorher/nachher größer/kleiner
höher/niedriger erste/letzte immer/nie alles/nichts aktivieren/deaktivieren aktiviert/deaktiviert hinzufügen/entfernen
öffnen/schließen lesen/schreiben muss/kann müssen/können muss/darf wahr/falsch mit/ohne vor/nach links/rechts
dessous/dessus avant/après gauche/droite premier/dernier première/dernière ouvrir/fermer ajouter/supprimer
activer/désactiver activé/désactivé avec/sans toujours/jamais vrai/faux lire/écrire devez/pouvez doit/peut
doivent/peuvent grand/petit début/fin supérieur/inférieur supérieure/inférieure
arriba/abajo antes/después izquierda/derecha primero/último primera/última abrir/cerrar añadir/eliminar
activar/desactivar siempre/nunca mayor/menor debe/puede deben/pueden superior/inferior verdadero/falso leer/escribir
anterior/siguiente horizontales/verticales
"""
_OPPOSITES = frozenset(frozenset(pair.split("/")) for pair in (_PAIRS + _ELSEWHERE).split())
_NEGATING = ("un", "in", "im", "il", "ir", "non", "non-", "dis", "de", "anti", "anti-", "mis")


def _differing(left: list[str], right: list[str]) -> tuple[set[str], set[str]]:
    """The words of two phrases, folded, hyphens as blanks, less those that both have."""
    ours, theirs = ({part for word in side for part in word.casefold().split("-")} for side in (left, right))
    return ours - theirs, theirs - ours


def of_one_class(left: list[str], right: list[str]) -> bool:
    """Whether two phrases differ in members of one class: *five years* and *ten years*.

    >>> of_one_class(["five", "years"], ["ten", "years"]), of_one_class(["years"], ["seasons"])
    (True, False)
    """
    ours, theirs = ({_CLASSES.get(word) for word in side} - {None} for side in _differing(left, right))
    return bool(ours & theirs)


def opposites(left: list[str], right: list[str]) -> bool:
    """Whether two phrases differ in words that are opposites, or of which one negates the other.

    >>> opposites(["the", "upper"], ["the", "lower"]), opposites(["legal"], ["illegal"]), opposites(["a"], ["b"])
    (True, True, False)
    >>> opposites(["ci-dessous"], ["ci-dessus"])
    True
    """
    ours, theirs = _differing(left, right)
    if any(("no" in side) or ("not" in side) for side in (ours, theirs)):
        return True
    return any(frozenset((a, b)) in _OPPOSITES or _negates(a, b) or _negates(b, a) for a in ours for b in theirs)


def _negates(word: str, other: str) -> bool:
    if word.endswith("less") and other.endswith("ful"):
        return word[:-4] == other[:-3]
    return len(other) > 3 and any(word == before + other for before in _NEGATING)
