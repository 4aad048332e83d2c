"""Who may ask, what may be written, and where paths end."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from ruiji.corpora import InputError
from ruiji.web.annotate.views import annotating_application
from ruiji.web.annotate.workbook import Workbook
from ruiji.web.review.results import open_results
from ruiji.web.review.views import reviewing_application
from ruiji.web.safety import MAX_BODY, OutsideFolder, confined
from ruiji.web.server import listening
from tests.browser import served
from tests.ruiji.web.runs import write_run
from tests.ruiji.web.workbooks import make_workbook

PAGE = "<title>t</title><p>one</p><p>two</p>"


@pytest.fixture
def workbook(tmp_path: Path) -> Workbook:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a.html").write_text(PAGE)
    return make_workbook(folder, tmp_path / "out" / "hanako")


@pytest.fixture
def client(workbook: Workbook) -> Iterator[httpx.Client]:
    with (
        served(lambda port: annotating_application(workbook, port)) as url,
        httpx.Client(base_url=url) as client,
    ):
        yield client


def token_of(client: httpx.Client) -> str:
    found = re.search(r'"token": "([^"]+)"', client.get("/").text)
    assert found
    return found.group(1)


def headers_of(client: httpx.Client) -> dict[str, str]:
    return {"Origin": str(client.base_url).rstrip("/"), "X-Ruiji-Token": token_of(client)}


def test_a_write_from_our_own_page_is_taken(client: httpx.Client, workbook: Workbook) -> None:
    assert client.post("/api/pages/0", json={"labels": "10"}, headers=headers_of(client)).status_code == 200
    assert (workbook.out / "a.html").is_file()


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", ""],
)
def test_another_host_name_is_refused_against_dns_rebinding(client: httpx.Client, host: str) -> None:
    port = client.base_url.port
    assert client.get("/api/pages", headers={"Host": host.format(port=port)}).status_code == 403
    assert client.get("/", headers={"Host": f"localhost:{port}"}).status_code == 200


@pytest.mark.parametrize(
    "spoilt",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": ""}, {"X-Ruiji-Token": "guess"},
    {"X-Ruiji-Token": ""},
     {"Content-Type": "text/plain"}, {"Content-Type": "application/x-www-form-urlencoded"},
     {"Sec-Fetch-Site": "cross-site"}],
)  # fmt: skip
def test_a_write_from_elsewhere_is_refused(
    client: httpx.Client, workbook: Workbook, spoilt: dict[str, str]
) -> None:
    answer = client.post(
        "/api/pages/0",
        content='{"labels": "10"}',
        headers={"Content-Type": "application/json"} | headers_of(client) | spoilt,
    )
    assert answer.status_code == 403
    assert not workbook.out.exists()


@pytest.mark.parametrize(
    "body",
    [
        '{"labels": "13"}',
        '{"labels": "1"}',
        '{"labels": 1}',
        "[]",
        "{",
        '{"labels": "10", "done": "yes"}',
        "[" * 100_000,
    ],
)
def test_a_write_that_makes_no_sense_is_answered_with_the_reason(
    client: httpx.Client, workbook: Workbook, body: str
) -> None:
    answer = client.post(
        "/api/pages/0", content=body, headers={"Content-Type": "application/json"} | headers_of(client)
    )
    assert answer.status_code in (400, 409)
    assert answer.json()["error"]
    assert not workbook.out.exists()


def test_more_than_a_page_can_have_is_not_read(client: httpx.Client) -> None:
    body = b'{"labels": "' + b"0" * (17 << 20) + b'"}'
    try:
        answer = client.post(
            "/api/pages/0", content=body, headers={"Content-Type": "application/json"} | headers_of(client)
        )
    except httpx.TransportError:
        return
    assert answer.status_code >= 400


def test_another_site_cannot_ask_for_data_or_frames(client: httpx.Client) -> None:
    for path in ("/api/pages", "/frame/0"):
        assert client.get(path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_every_answer_carries_its_policy(client: httpx.Client) -> None:
    for path in ("/", "/page/0", "/api/pages", "/static/ruiji.css", "/nowhere"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers
    frame = client.get("/frame/0").headers["content-security-policy"]
    assert frame.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    assert frame.endswith("sandbox allow-same-origin")


@pytest.mark.parametrize("path",
    ["/static/../server.py", "/static/..%2fserver.py", "/static/%2e%2e/server.py", "/static//etc/passwd",
                                  "/frame/..%2f0", "/frame/-1", "/frame/99", "/page/0/../../x",
                                  "/api/pages/99"])  # fmt: skip
def test_no_path_leaves_what_is_served(client: httpx.Client, path: str) -> None:
    with socket.create_connection(
        (client.base_url.host, client.base_url.port or 0)
    ) as raw:  # httpx would tidy the path
        raw.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{client.base_url.port}\r\nConnection: "
            f"close\r\n\r\n".encode()
        )
        answer = b""
        while piece := raw.recv(65536):
            answer += piece
    assert answer.split(b" ")[1] in (b"404", b"403", b"405")
    assert b"root:" not in answer
    assert b"import" not in answer


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "s.html").write_text("<p>secret</p>")
    (tmp_path / "secret" / "s.css").write_text("p{color:red}")
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a.html").write_text(
        "<link rel=stylesheet href=out.css><link rel=stylesheet href=../secret/s.css><p>one</p>"
    )
    (folder / "file.html").symlink_to(tmp_path / "secret" / "s.html")
    (folder / "dir").symlink_to(tmp_path / "secret")
    (folder / "out.css").symlink_to(tmp_path / "secret" / "s.css")
    workbook = make_workbook(folder, tmp_path / "out" / "hanako")
    with served(lambda port: annotating_application(workbook, port)) as url:
        rows = {row["name"]: row["error"] for row in httpx.get(f"{url}/api/pages").json()["rows"]}
        assert rows == {
            "a.html": "",
            "dir/s.html": "a link that leads out of the folder; it is not followed",
            "file.html": "a link that leads out of the folder; it is not followed",
        }
        assert "color:red" not in httpx.get(f"{url}/frame/0").text
        assert all("secret" not in httpx.get(f"{url}/frame/{number}").text for number in (1, 2))


def test_a_link_in_the_output_does_not_lead_a_write_outside(tmp_path: Path, workbook: Workbook) -> None:
    victim = tmp_path / "victim.html"
    victim.write_text("precious")
    workbook.out.mkdir(parents=True)
    (workbook.out / "a.html").symlink_to(victim)
    labels = workbook.opened(0).labels
    with pytest.raises(OutsideFolder):
        workbook.put(0, labels)
    assert victim.read_text() == "precious"
    with (
        served(lambda port: annotating_application(workbook, port)) as url,
        httpx.Client(base_url=url) as client,
    ):
        answer = client.post("/api/pages/0", json={"labels": "00"}, headers=headers_of(client))
    assert answer.status_code in (403, 409)
    assert "leads out" in answer.json()["error"]


def test_confined(tmp_path: Path) -> None:
    assert confined(tmp_path, tmp_path / "a" / ".." / "b") == tmp_path.resolve() / "b"
    for path in (tmp_path / "..", Path("/etc/passwd"), tmp_path / "a/../../x"):
        with pytest.raises(OutsideFolder):
            confined(tmp_path, path)


def test_the_server_listens_on_loopback_only() -> None:
    own = listening(0)
    assert own.getsockname()[0] == "127.0.0.1"
    with pytest.raises(InputError, match="choose another with --port"):
        listening(own.getsockname()[1])
    own.close()


def applications(tmp_path: Path, workbook: Workbook) -> dict[str, Callable[[int], Starlette]]:
    """Both applications, by name."""
    results = open_results(write_run(tmp_path / "run", {"http://a.example/": [("文です。", True)]}, []))
    return {
        "annotate": lambda port: annotating_application(workbook, port),
        "review": lambda port: reviewing_application(results, port, "run"),
    }


@pytest.mark.parametrize("name", ["annotate", "review"])
def test_every_route_asks_for_our_host_and_every_write_for_our_origin_and_token(
    tmp_path: Path, workbook: Workbook, name: str
) -> None:
    """The routes are read from the application, so a new one is tried too."""
    make = applications(tmp_path, workbook)[name]
    routes = [
        (method, re.sub(r"\{\w+(:\w+)?\}", "0", route.path) + ("/x" if isinstance(route, Mount) else ""))
        for route in make(1).routes
        for method in sorted(getattr(route, "methods", None) or {"GET"})
    ]
    assert len(routes) >= 6
    with served(make) as url, httpx.Client(base_url=url) as client:
        ours = headers_of(client)
        for method, path in routes:
            wrong_host = client.request(method, path, headers=ours | {"Host": "evil.example"})
            assert wrong_host.status_code == 403, (method, path)
            assert "the host must be" in wrong_host.text or method == "HEAD"
            if method in ("GET", "HEAD"):
                continue
            for spoilt in (
                {"Origin": "http://evil.example"},
                {"X-Ruiji-Token": "x"},
                {"Content-Type": "text/plain"},
            ):
                headers = {"Content-Type": "application/json"} | ours | spoilt
                answer = client.request(method, path, content="{}", headers=headers)
                assert answer.status_code == 403, (method, path, spoilt)
        for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
            assert client.request(method, "/", headers=ours).status_code in (403, 405)


@pytest.mark.parametrize("name", ["annotate", "review"])
def test_no_write_is_read_beyond_its_limit(tmp_path: Path, workbook: Workbook, name: str) -> None:
    path = {"annotate": "/api/pages/0", "review": "/api/items/0"}[name]
    with served(applications(tmp_path, workbook)[name]) as url, httpx.Client(base_url=url) as client:
        headers = {"Content-Type": "application/json"} | headers_of(client)
        try:
            status = client.post(
                path, content=b'{"x": "' + b"0" * (MAX_BODY + 1) + b'"}', headers=headers
            ).status_code
        except httpx.TransportError:
            status = 0  # it hung up
        assert status in (0, 400, 403, 413)
        assert client.get("/").status_code == 200
