"""Ray with two worker processes, compared with the command."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest
from clusters.corpus import RANGE, ROWS, descendants, same

import utfkit

pyarrow = pytest.importorskip("pyarrow", reason="left out: pyarrow is not installed")
ray = pytest.importorskip("ray", reason="left out: ray is not installed")
pytest.importorskip("ray.data", reason="left out: ray is installed without ray.data")

import utfkit.ray  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def cluster():
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=512 << 20, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.fixture
def dataset():
    table = pyarrow.table({"id": [row[0] for row in ROWS], "raw": pyarrow.array([row[1] for row in ROWS], pyarrow.binary())})
    return ray.data.from_arrow([table.slice(0, 3), table.slice(3, 3), table.slice(6)])


def by_id(dataset, column):
    return {row["id"]: row[column] for row in dataset.take_all()}


def test_check(dataset):
    rows = sorted(utfkit.ray.check(dataset, "raw").take_all(), key=lambda row: (row["id"], row["offset"]))
    assert list(rows[0]) == ["id", "offset", "length", "line", "column", "bytes", "kind", "code_point", "message"]
    expected = [(number, one) for number, raw in ROWS for one in utfkit.check(raw or b"")]
    assert len(rows) == len(expected) == 5
    for row, (number, one) in zip(rows, expected):
        assert (row["id"], row["offset"], row["length"], row["line"], row["column"]) == (
            number, one.offset, one.length, one.line, one.column,
        )  # fmt: skip
        assert (row["bytes"], row["kind"], row["message"]) == (one.bytes.hex(), one.kind, one.message)
    assert "id" not in utfkit.ray.check(dataset, "raw", keep=[]).take_all()[0]


def test_repair(dataset):
    made = utfkit.ray.repair(dataset, "raw")
    assert by_id(made, "raw") == {number: None if raw is None else utfkit.repair(raw).text for number, raw in ROWS}
    options = {"fallback": "windows-1252", "reinterpret": True}
    made = utfkit.ray.repair(dataset, "raw", into="text", **options)
    assert by_id(made, "text") == {
        number: None if raw is None else utfkit.repair(raw, **options).text for number, raw in ROWS
    }
    assert by_id(made, "raw") == dict(ROWS)


def test_decode(dataset):
    made = utfkit.ray.decode(dataset, "raw", encoding="cp1252")
    assert by_id(made, "raw") == {
        number: None if raw is None else utfkit.decode(raw, "cp1252", "replace") for number, raw in ROWS
    }
    assert by_id(utfkit.ray.decode(dataset, "raw"), "raw")[2] == "naïve"


@pytest.mark.parametrize("data_type", ["string", "large_string", "large_binary"])
def test_every_layout(data_type):
    table = pyarrow.table({"text": pyarrow.array(["tea", None, "naïve"]).cast(getattr(pyarrow, data_type)())})
    made = utfkit.ray.repair(ray.data.from_arrow(table), "text")
    assert [row["text"] for row in made.take_all()] == ["tea", None, "naïve"]
    assert utfkit.ray.check(ray.data.from_arrow(table), "text").count() == 0


def test_wrong_arguments(dataset, tmp_path):
    with pytest.raises(LookupError, match="no column 'text': there are 'id', 'raw'"):
        utfkit.ray.check(dataset, "text")
    with pytest.raises(TypeError, match="column 'id' holds int64"):
        utfkit.ray.repair(dataset, "id")
    with pytest.raises(TypeError, match="name of a column, not int"):
        utfkit.ray.decode(dataset, 7)  # type: ignore[arg-type]
    with pytest.raises(LookupError, match="unknown encoding: nonsense"):
        utfkit.ray.decode(dataset, "raw", encoding="nonsense")
    with pytest.raises(LookupError, match="'other' to keep"):
        utfkit.ray.check(dataset, "raw", keep=["other"])
    with pytest.raises(FileNotFoundError, match="nowhere"):
        utfkit.ray.check_files(tmp_path / "nowhere")
    with pytest.raises(LookupError, match="unknown encoding"):
        utfkit.ray.check_files(tmp_path, encoding="nonsense")


def test_check_files(corpus):
    checked = utfkit.ray.check_files(corpus.folder, range_size=RANGE)
    same(checked.findings.take_all(), checked.files.take_all(), corpus)


def test_files_without_findings(tmp_path):
    (tmp_path / "text").write_text("tea\n")
    checked = utfkit.ray.check_files(tmp_path)
    assert checked.findings.count() == 0
    assert [row["lines"] for row in checked.files.take_all()] == [1]


def test_a_file_that_vanishes(tmp_path):
    (tmp_path / "text").write_bytes(b"caf\xe9 ")
    checked = utfkit.ray.check_files(tmp_path)
    (tmp_path / "text").unlink()
    with pytest.raises(Exception, match=r"(?s)No such file or directory.*text"):
        checked.findings.take_all()


def test_a_worker_that_is_killed(corpus, monkeypatch, tmp_path):
    """kill -9 of the process of a worker in the middle of a job changes nothing."""
    begun = tmp_path / "begun"
    begun.mkdir()
    plain = utfkit._clusters.Check.__call__

    def slowly(self, table):
        (begun / str(time.time_ns())).touch()
        time.sleep(0.2)
        return plain(self, table)

    # Ranges that take long enough for a worker to be caught in one.
    class Slow(utfkit._clusters.Check):
        __call__ = slowly

    monkeypatch.setattr(utfkit._clusters, "Check", Slow)
    outcome = []
    size = RANGE
    thread = threading.Thread(target=lambda: outcome.append(utfkit.ray.check_files(corpus.folder, range_size=size)))
    thread.start()
    killed = []
    while thread.is_alive() and not killed:
        if len(list(begun.iterdir())) >= 4:
            for process, line in descendants(os.getpid()).items():
                if line.startswith("ray::MapBatches") and not killed:
                    os.kill(process, signal.SIGKILL)
                    killed.append(process)
        time.sleep(0.01)
    still = len(list(begun.iterdir()))
    thread.join()
    assert killed, "the job was over before a worker could be killed"
    assert len(list(begun.iterdir())) > still
    [checked] = outcome
    same(checked.findings.take_all(), checked.files.take_all(), corpus)
