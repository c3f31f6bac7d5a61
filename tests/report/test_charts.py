import xml.etree.ElementTree as ET

import pytest

from likewise.errors import FormatError, OptionError
from likewise.report.charts import Frame, lines, save_lines, spans

FRAME = Frame((0, 1), (0, 1), "recall <r>", "precision & co")
CURVE = {"a & <b>": [(0.0, 1.0), (1.0, 0.5)]}


def test_svg_is_well_formed_and_escaped():
    for svg in (
        lines(CURVE, FRAME, "T <1>"),
        spans({(1, 1): 0.2, (1, 3): 0.4}, Frame((1, 10), (0, 1), "q", "IAP"), "S"),
    ):
        root = ET.fromstring(svg)
        assert root.tag.endswith("svg")
    assert len(ET.fromstring(lines(CURVE, FRAME, "T")).findall(".//{*}polyline")) == 1


@pytest.mark.parametrize("name", ["c.svg", "c.png", "c.pdf"])
def test_files(tmp_path, name):
    save_lines(tmp_path / name, CURVE, FRAME, "T")
    first = (tmp_path / name).read_bytes()
    assert len(first) > 500
    save_lines(tmp_path / name, CURVE, FRAME, "T")
    assert (tmp_path / name).read_bytes() == first


def test_bad_names_and_axes(tmp_path):
    with pytest.raises(FormatError, match=r"\.svg, \.png or \.pdf"):
        save_lines(tmp_path / "c.txt", CURVE, FRAME, "T")
    with pytest.raises(OptionError, match="upwards"):
        lines(CURVE, Frame((1, 1), (0, 1), "x", "y"), "T")
