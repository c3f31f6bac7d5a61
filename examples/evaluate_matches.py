"""Match two lists with known truth and see how good it is: figures, and the precision-recall curve as SVG.

python examples/evaluate_matches.py
"""

import likewise as lw
from likewise import Ranking
from likewise.report.charts import Frame, save_lines

LEFT = ["Brewer's Blackbird", "Eastern Bluebird", "Mountain Bluebird", "Inca Dove", "Reddish Egret", "Snowy Egret"]
RIGHT = [
    "Blackbird: Brewers",
    "Bluebird, Eastern",
    "Bluebird (Mountain)",
    "Dove, Inca",
    "Egret: Reddish",
    "Egret, Snowi",
]

measure = lw.Spectra(q=(2, 4), padding="single", weights="c.idf.qidf").fit(LEFT + RIGHT)
ranking = Ranking.of_matrix(measure.matrix(LEFT, RIGHT), [(at, at) for at in range(len(LEFT))])
best = ranking.best_f1()
print(f"IAP {ranking.iap():.3f}, best F1 {best.f1:.3f} at a score of {best.threshold:.3f}")

points = list(zip(ranking.recall.tolist(), ranking.precision.tolist(), strict=True))
save_lines("curve.svg", {"precision": points}, Frame((0, 1), (0, 1), "recall", "precision"), "Birds")
print("curve.svg written")
