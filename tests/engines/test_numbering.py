"""Numbers of terms from blocks with vocabularies of their own: those that one vocabulary over all would give."""

import numpy as np
import pytest

from likewise.jobs.distributed import numbering
from likewise.jobs.distributed.analysed import write


def blocks_of_words(seed):
    """Blocks of words in the order in which they come, with how many texts have each; some have no word."""
    chance = np.random.default_rng(seed)
    words = np.array([f"w{place}é" for place in range(300)])
    blocks = [chance.choice(words, size, replace=False).tolist() for size in (40, 0, 120, 1, 90)]
    return [(block, chance.integers(0, 3, len(block))) for block in blocks]


def written(folder, blocks, bits):
    paths = []
    for number, (words, texts) in enumerate(blocks):
        paths.append(write(folder / f"{number}.arrays", {**bits(words), "texts": texts.astype(np.int64)}))
    return paths


def by_hash(words):
    return numbering.hashed([word.encode() for word in words])


def by_halves(words):
    """Bits of which the upper half is the same for many words."""
    low = np.array([int(word[1:-1]) for word in words], np.uint64)
    high = low % np.uint64(7) << np.uint64(60)
    order = np.lexsort((low, high)).astype(np.int32)
    return {"high": high[order], "low": low[order], "order": order}


@pytest.mark.parametrize("bits", [by_hash, by_halves])
@pytest.mark.parametrize("memory", [1 << 30, 5_000, 500])
def test_numbers_of_one_vocabulary(tmp_path, bits, memory):
    """However few terms are sorted at a time, and if half of their bits agree."""
    blocks = blocks_of_words(1)
    paths = written(tmp_path, blocks, bits)
    found = numbering.number(paths, tmp_path / "kept", memory)

    counts, first = {}, {}
    for block, (words, texts) in enumerate(blocks):
        for place, (word, many) in enumerate(zip(words, texts.tolist(), strict=True)):
            first.setdefault(word, block << 32 | place)
            counts[word] = counts.get(word, 0) + many
    several = [word for word in first if counts[word] > 1]
    assert 50 < len(several) < len(first)
    assert found.firsts.tolist() == [first[word] for word in several]
    assert found.texts.tolist() == [counts[word] for word in several]

    numbers, begin = {word: number for number, word in enumerate(several)}, 0
    for path, (words, _) in zip(paths, blocks, strict=True):
        order = numbering.map_arrays(path)["order"]
        places = numbering.Places.of(tmp_path / "kept", begin, order, found.firsts)
        assert places.ranks.tolist() == [sorted(first[word] for word in words).index(first[one]) for one in words]
        assert places.numbers[places.ranks].tolist() == [numbers.get(word, len(several)) for word in words]
        begin += len(words)
