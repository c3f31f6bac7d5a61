from likewise.report.site import Chapter, write_site


def test_site_shows_what_is_there(tmp_path):
    (tmp_path / "pairs.csv").write_text('left,right\n"<b>",2\n')
    (tmp_path / "index").mkdir()
    page = write_site(tmp_path, "A & B", [Chapter("match", 1.23, "5 < 7")], ["likewise serve"]).read_text()
    for wanted in (
        "A &amp; B",
        "1.2 s",
        "5 &lt; 7",
        'href="pairs.csv"',
        'href="index/"',
        "&lt;b&gt;",
        "likewise serve",
    ):
        assert wanted in page
    assert "<script" not in page
    assert "http://" not in page
