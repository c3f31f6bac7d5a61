import secrets

from benchmarks.hostile import knock, run


def test_hostile_requests(start_server, tmp_path):
    secret = secrets.token_hex(16)
    (tmp_path / "secret.csv").write_text(f"name\n{secret}\n")
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "out.csv").symlink_to(tmp_path / "secret.csv")
    server = start_server(folder, "--body-seconds", "2", "--waiting-jobs", "3")
    seen = run(server.address, 300, secret)
    assert sum(seen.values()) == 300
    assert not any(name.endswith((" 500", " 502", " 504")) for name in seen)
    # Whatever it was asked to upload lies in the folder of uploads and nowhere else.
    assert {path.name for path in tmp_path.iterdir()} == {"secret.csv", "served"}
    assert {path.name for path in folder.iterdir()} == {"out.csv", ".likewise"}


def test_bad_tokens(start_server, tmp_path):
    token = secrets.token_hex(16)
    knock(start_server(tmp_path, "--token", token).address, 60, token)
