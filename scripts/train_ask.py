"""Learn how strongly a nugget speaks for its date, from questions with answer patterns.

    python scripts/train_ask.py NUGGETS QUESTIONS... [--expand pp.parquet] [-o src/likewise/jobs/questions/ask.json]

QUESTIONS are folders of TREC files (``likewise evaluate questions``); ``scripts`` itself is one: questions of our own
about articles of Wikipedia that begin with A to C, written from general knowledge before any nugget was seen;
``benchmarks/questions`` is another. A nugget is right if its date matches a pattern.
The weights are those that give the right nuggets of each question the largest share of what all of them say; none may
have the sign that makes no sense. Two halves, every other question, are each answered with
weights learned on the other: that is the figure to report. The weights that are written are learned on all of them.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from likewise.analyse.question import wants_year
from likewise.evaluate.questions import read_questions, reciprocal_rank
from likewise.jobs.questions.answers import ranked, year_of
from likewise.jobs.questions.ask import Nuggets
from likewise.jobs.questions.figures import NAMES, SURE, figures, strengths, weights
from likewise.jobs.questions.options import AskOptions
from likewise.results.paraphrases import Paraphrases

OUTPUT = Path(__file__).parent.parent / "src" / "likewise" / "jobs" / "questions" / "ask.json"
RIDGE, STEPS, RATE = 8.0, 800, 0.05
# More of these speaks against a date; more of the others for it.
AGAINST = (
    "strangers",
    "other dates",
    "wrong end",
    "no year",
    "no day",
    "vague",
    "another ordinal",
    "first of some",
    "ordinal missing",
)
# Too few of the questions ask for an end of a range or the first of several, and too few nuggets are said twice, to
# learn these: they are set by reason.
SET = {"right end": 0.5, "wrong end": -1.5, "documents": 0.5, "no day": -1.0, "vague": -1.0, "another ordinal": -2.0,
       "first of some": -1.0, "earliest": 3.0}  # fmt: skip
SIGNS = np.array([-1.0 if name in AGAINST else 1.0 for name in NAMES])


def logistic(matrix, labels, ridge):
    """Return the weights of a ridge logistic regression by Newton's method: bias first."""
    columns = np.column_stack([np.ones(len(matrix)), matrix])
    found, penalty = np.zeros(columns.shape[1]), np.diag([1e-6, *[ridge] * matrix.shape[1]])
    for _ in range(100):
        guess = 1 / (1 + np.exp(-columns @ found))
        slope = columns.T @ (labels - guess) - penalty @ found
        found += np.linalg.solve((columns * (guess * (1 - guess))[:, None]).T @ columns + penalty, slope)
    return found


class Case:
    """A question with its candidates, their figures, and which are right."""

    def __init__(self, question, index, pairs, options):
        self.question = question
        self.asked = index.read(question.text, pairs, options)
        self.found = index.candidates(self.asked) if self.asked.groups else []
        if wants_year(question.text):
            self.found = [one for one in self.found if not one.date.startswith("--")]
        self.matrix = figures(self.asked, self.found)
        self.right = np.array(
            [
                any(p.search(form) for p in question.patterns for form in (year_of(one.date), one.text))
                for one in self.found
            ]
        )

    def score(self):
        return reciprocal_rank(ranked(self.found, self.matrix, AskOptions(), self.asked), self.question.patterns)


def learn(cases):
    """Return the weights of figures, by Adam; only questions with right and wrong nuggets say something."""
    cases = [case for case in cases if len(case.found) and case.right.any() and not case.right.all()]
    spread = np.concatenate([case.matrix for case in cases]).std(0) + 1e-9
    found, first, second = 0.1 * SIGNS, 0.0, 0.0
    for step in range(1, STEPS + 1):
        slope = -RIDGE * found
        for case in cases:
            figures = case.matrix / spread
            strong = figures @ found
            worth = np.exp(strong - strong.max())
            right = np.where(case.right, worth, 0.0)
            slope = slope + figures.T @ (right / right.sum() - worth / worth.sum())
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        found = found + RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-9)
        found = np.where(found * SIGNS < 0, 0.0, found)
    return found / spread


def use(found):
    """Make the package use these weights."""
    learned = {name: round(float(value), 6) for name, value in zip(NAMES, found, strict=True)}
    weights()["weights"] = {**learned, **SET}


def surety(cases):
    """Return strength of the best nugget, share and what is missing, for the first answers; whether they are right."""
    rows, labels = [], []
    for case in cases:
        if len(case.found):
            strong = strengths(case.matrix)
            worth, sums = np.exp(strong), {}
            for one, value in zip(case.found, worth, strict=True):
                sums[year_of(one.date)] = sums.get(year_of(one.date), 0.0) + value
            best = max(sums, key=sums.get)
            of_best = (place for place, one in enumerate(case.found) if year_of(one.date) == best)
            first = max(of_best, key=lambda place: (strong[place], place))
            told = [case.matrix[first, NAMES.index(name)] for name in SURE]
            rows.append((strong[first], sums[best] / worth.sum(), *told))
            labels.append(case.score() == 1)
    return np.array(rows), np.array(labels, float)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nuggets", type=Path)
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--expand", type=Path)
    parser.add_argument("--by", default="probability")
    parser.add_argument("--per-phrase", type=int, default=4)
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    index = Nuggets(options.nuggets)
    pairs = None if options.expand is None else Paraphrases.read(options.expand)
    asking = AskOptions(per_phrase=options.per_phrase, by=options.by)
    sets = {
        str(path): [Case(one, index, pairs, asking) for one in read_questions(path).asked] for path in options.questions
    }
    cases = [case for one in sets.values() for case in one]
    scores, sure, right = {}, [], []
    for half in (0, 1):
        use(learn([case for one in sets.values() for case in one[1 - half :: 2]]))
        tested = [case for one in sets.values() for case in one[half::2]]
        scores.update((id(case), case.score()) for case in tested)
        rows, labels = surety(tested)
        sure.append(rows)
        right.append(labels)
    for name, one in sets.items():
        found = [scores[id(case)] for case in one]
        print(f"{name}: each half with the weights of the other: {sum(found[::2]):.2f} + {sum(found[1::2]):.2f} = "
              f"{sum(found):.2f}, {found[::2].count(1)} + {found[1::2].count(1)} of {len(found)} right first; "
              f"{sum(len(case.found) and case.right.any() for case in one)} have a right nugget")  # fmt: skip
    fitted = logistic(np.concatenate(sure), np.concatenate(right), 0.5)
    use(learn(cases))
    for name, one in sets.items():
        found = [case.score() for case in one]
        print(f"{name}: with the weights of all: {sum(found):.2f}, {found.count(1)} right first")
    model = weights()
    content = {
        "origin": "scripts/train_ask.py on 48 MB of Wikipedia, questions of TREC 1999 to 2001 and of our own",
        "weights": model["weights"],
        "sure": {
            name: round(float(value), 6)
            for name, value in zip(("bias", "strength", "share", *SURE), fitted, strict=True)
        },
    }
    options.output.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
