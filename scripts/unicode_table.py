"""Write core/unicode_table.inc: for every code point whether it is a letter, a mark or a number, and whether its script
is written without spaces between words.

The table is committed, so that results do not depend on the Unicode version of the Python that builds the package.

    python scripts/unicode_table.py > core/unicode_table.inc
"""

import sys
import unicodedata

LETTER, MARK, NUMBER, UNSPACED, HAN = 1, 2, 3, 4, 8
HAN_NAMES = ("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "IDEOGRAPHIC ITERATION")
# Scripts whose running text has no spaces between words, by the beginning of their characters' names; and Korean, which
# writes its particles onto the words.
UNSPACED_NAMES = (
    *HAN_NAMES, "HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "BOPOMOFO", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN",
    "NEW TAI LUE", "TAI THAM", "JAVANESE", "BALINESE", "HANGUL SYLLABLE",
)  # fmt: skip
BLOCK = 256


def classify(code: int) -> int:
    character = chr(code)
    kind = {"L": LETTER, "M": MARK, "N": NUMBER}.get(unicodedata.category(character)[0], 0)
    name = unicodedata.name(character, "")
    if name.startswith("HALFWIDTH KATAKANA") and name.endswith("SOUND MARK") and "PROLONGED" not in name:
        kind = MARK
    if kind and name.startswith(UNSPACED_NAMES):
        kind |= UNSPACED | (HAN if name.startswith(HAN_NAMES) else 0)
    return kind


def main() -> None:
    blocks: dict[bytes, int] = {}
    index = []
    for start in range(0, 0x110000, BLOCK):
        block = bytes(classify(code) for code in range(start, start + BLOCK))
        index.append(blocks.setdefault(block, len(blocks)))
    assert len(blocks) <= 256
    out = sys.stdout
    out.write("// Written by scripts/unicode_table.py; do not edit.\n")
    out.write(f'inline constexpr char unicode_version[] = "{unicodedata.unidata_version}";\n')
    out.write(f"inline constexpr std::uint8_t unicode_index[{len(index)}] = {{\n")
    for at in range(0, len(index), 32):
        out.write("    " + ",".join(map(str, index[at : at + 32])) + ",\n")
    out.write("};\n")
    out.write(f"inline constexpr std::uint8_t unicode_class[{len(blocks)}][{BLOCK}] = {{\n")
    for block in blocks:
        out.write("    {" + ",".join(map(str, block)) + "},\n")
    out.write("};\n")


if __name__ == "__main__":
    main()
