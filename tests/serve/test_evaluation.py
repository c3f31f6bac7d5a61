from tests.serve.test_match import wait_for


def test_reproduce_with_real_data(client, data, tmp_path):
    (tmp_path / "data").mkdir()
    import shutil

    source = next((data / "er").rglob("*estaurant*"), None)
    assert source is not None
    shutil.copytree(data / "er", tmp_path / "data" / "er", dirs_exist_ok=True)
    job = client.post("/api/reproduce", json={"data": "data", "only": ["er"], "rows": "t5.restaurant.*"}).json()
    done = wait_for(client, job["id"])
    assert done["state"] == "done", done["message"]
    figures = client.get(f"/api/reproduce/{job['id']}").json()
    assert any(row["ours"] is not None for row in figures["results"])
    report = client.get(f"/api/reproduce/{job['id']}/report")
    assert "sandbox" in report.headers["content-security-policy"]
    assert "script-src" not in report.headers["content-security-policy"]
    assert "<table" in report.text


def test_refusals(client):
    assert client.post("/api/reproduce", json={"data": "none"}).status_code == 404
    assert client.post("/api/reproduce", json={"data": "none", "only": ["magic"]}).status_code == 422
    assert client.get("/api/reproduce/0000000000000000").status_code == 404


def test_page(start_server, page, tmp_path, accessible, photograph):
    (tmp_path / "data").mkdir()
    server = start_server(tmp_path)
    page.goto(f"{server.address}/evaluation")
    accessible()
    photograph("evaluation")
    page.get_by_label("Only rows").fill("t5.nothing")
    page.get_by_role("button", name="Compute").click()
    page.locator("#state.failed, iframe").first.wait_for()
