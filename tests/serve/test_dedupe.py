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
    told = client.post("/api/dedupe", json={"left": "names.csv"}).json()["error"]["message"]
    assert told == "table is missing; left is not known here"


def test_clusters_that_live_on_and_pairs_made_elsewhere(client, tmp_path):
    def run(address, body):
        started = client.post(address, json=body)
        assert started.status_code == 202, started.text
        done = wait_for(client, started.json()["id"])
        assert done["state"] == "done", done["message"]
        rows = client.get(f"/api/dedupe/{done['id']}").json()["rows"]
        return done["result"], {row["id"]: row["cluster"] for row in rows}

    (tmp_path / "names.csv").write_text("id,name\na,Ada Lovelace\nb,Charles Babbage\nc,Ada  Lovelace\n")
    (tmp_path / "new.csv").write_text("id,name\nd,Charles  Babbage\ne,Grace Hopper\n")
    options = {"id": "id", "on": "name", "min_score": 0.8}
    _, before = run("/api/dedupe", {"table": "names.csv", "state": "people", "options": options})
    result, after = run("/api/dedupe", {"table": "people.state", "add": "new.csv"})
    assert {one: after[one] for one in "abc"} == before
    assert after["d"] == after["b"]
    assert [change["kind"] for change in result["changes"]] == ["new"]
    (tmp_path / "pairs.csv").write_text("left,right,score\na,b,0.9\nb,c,0.8\nd,e,0.1\n")
    _, found = run("/api/dedupe/pairs", {"pairs": "pairs.csv", "options": {"min_score": 0.5}})
    assert found["a"] == found["c"]
    assert client.post("/api/dedupe/pairs", json={"pairs": "none.csv"}).status_code == 404
