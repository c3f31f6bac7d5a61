"""Learn from labelled pairs of texts, decide about others, and see what one text does not cover of the other.

    python examples/recognise_pairs.py TRAIN TEST

TRAIN and TEST are MSR paraphrase files, RTE XML, or TSV/JSONL with left, right, label.
"""

import sys

import likewise as lw

if len(sys.argv) < 3:
    sys.exit(__doc__)

model = lw.recognise(sys.argv[1])
model.save("model.json")
for part in model.parts:
    print(part.signal, f"weight {part.weight:.3g}")

figures = model.evaluate(sys.argv[2])
print(f"accuracy {figures['honest']['accuracy']:.4f}, with the oracle's threshold {figures['oracle']['accuracy']:.4f}")

test = lw.read_pairs(sys.argv[2])
for left, right in list(zip(test.lefts, test.rights, strict=True))[:3]:
    why = model.explain(left, right)
    print(f"\n{left}\n{right}\n{'yes' if why.decision else 'no'}, {why.score:.3f}; not covered:", end=" ")
    print(", ".join(f"{part.text} ({part.weight:.0%})" for part in why.uncovered[:5]) or "nothing")
