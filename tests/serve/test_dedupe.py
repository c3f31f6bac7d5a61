from tests.serve.test_match import wait_for

import likewise


def test_same_as_python(client, tmp_path):
    (tmp_path / "names.csv").write_text("id,name\na,Ada Lovelace\nb,Charles Babbage\nc,Ada  Lovelace\n")
    body = {"table": "names.csv", "options": {"id": "id", "on": "name", "min_score": 0.8}}
    started = client.post("/api/dedupe", json=body)
    assert started.status_code == 202, started.text
    done = wait_for(client, started.json()["id"])
    assert done["state"] == "done", done["message"]
    assert (done["result"]["records"], done["result"]["repeated"]) == (3, 1)
    here = likewise.dedupe(tmp_path / "names.csv", id="id", on="name", min_score=0.8)
    found = client.get(f"/api/dedupe/{done['id']}").json()
    assert found["rows"] == here.to_arrow().to_pylist()
    assert client.get(f"/api/dedupe/{done['id']}", params={"offset": 2}).json()["rows"] == found["rows"][2:]
    assert client.get(f"/api/dedupe/{done['id']}/download").text.startswith("id,")
    assert client.get(f"/api/match/{done['id']}").status_code == 422


def test_refusals(client, tmp_path):
    (tmp_path / "names.csv").write_text("name\nAda\n")
    assert client.post("/api/dedupe", json={"table": "none.csv"}).status_code == 404
    assert client.post("/api/dedupe", json={"table": "names.csv", "measure": "spectre"}).status_code == 422
    assert client.post("/api/dedupe", json={"table": "names.csv", "options": {"tpo": 1}}).status_code == 422
