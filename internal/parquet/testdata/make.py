"""Writes the Parquet files of this folder, with pyarrow 26.0.1.

    python make.py

Each file is beside what it must read as: NAME.parquet, NAME.jsonl.
"""
import datetime as dt
import decimal
import os

import pyarrow as pa
import pyarrow.parquet as pq

HERE = os.path.dirname(os.path.abspath(__file__))


def write(name, table, **options):
    pq.write_table(table, os.path.join(HERE, name + ".parquet"), **options)


def instances(n):
    """Rows as SWE-bench, SWE-rebench and Multi-SWE-bench have them."""
    tests = pa.struct([("fix", pa.string()), ("run", pa.string()), ("test", pa.string())])
    schema = pa.schema([
        ("instance_id", pa.string()),
        ("repo", pa.string()),
        ("base_commit", pa.string()),
        ("patch", pa.large_string()),
        ("test_patch", pa.string()),
        ("created_at", pa.timestamp("ms")),
        ("FAIL_TO_PASS", pa.list_(pa.string())),
        ("PASS_TO_PASS", pa.list_(pa.field("item", pa.string()))),
        ("labels", pa.list_(pa.string())),
        ("install_config", pa.struct([("python", pa.string()), ("pip_packages", pa.list_(pa.string())), ("n", pa.int64())])),
        ("tests", pa.map_(pa.string(), tests)),
        ("issues", pa.list_(pa.struct([("number", pa.int64()), ("title", pa.string())]))),
    ])
    rows = []
    for i in range(n):
        rows.append({
            "instance_id": f"acme__widgets-{i}",
            "repo": "acme/widgets",
            "base_commit": f"{i:040x}",
            "patch": f"--- a/w.py\n+++ b/w.py\n@@ -1 +1 @@\n-{i}\n+<{i}> & \u00e9\u2028\n",
            "test_patch": "--- a/test_w.py\n+++ b/test_w.py\n",
            "created_at": None if i % 3 == 2 else dt.datetime(2021, 3, 4, 5, 6, 7, 89000) + dt.timedelta(days=i),
            "FAIL_TO_PASS": [f"test_w.py::test_{j}" for j in range(i % 4)],
            "PASS_TO_PASS": None if i % 5 == 4 else [f"t{j}" for j in range(i % 7)],
            "labels": None if i % 6 == 5 else [None if j == 2 else f"<{j}>" for j in range(i % 5)],
            "install_config": None if i % 4 == 3 else {"python": "3.9", "pip_packages": [] if i % 2 else ["a", "b"], "n": None},
            "tests": [(f"T{j}", None if j == 1 else {"fix": "PASS", "run": "NONE", "test": None}) for j in range(i % 3)],
            "issues": [{"number": j, "title": f"{j}"} for j in range(i % 3)],
        })
    return pa.Table.from_pylist(rows, schema=schema)


def values():
    """A column of every type, with a null and the values at both ends."""
    day = dt.date(2021, 3, 4)
    noon = dt.datetime(2021, 3, 4, 12, 0, 0, 123456)
    before = dt.datetime(1969, 12, 31, 23, 59, 59, 500000)
    c = {
        "bool": pa.array([True, False, None]),
        "int8": pa.array([-128, 127, None], pa.int8()),
        "uint8": pa.array([0, 255, None], pa.uint8()),
        "uint32": pa.array([0, 2**32 - 1, None], pa.uint32()),
        "int64": pa.array([-2**63, 2**63 - 1, None], pa.int64()),
        "uint64": pa.array([0, 2**64 - 1, None], pa.uint64()),
        "float": pa.array([0.5, float("nan"), None], pa.float32()),
        "double": pa.array([1e300, float("-inf"), None], pa.float64()),
        "string": pa.array(["", "\t\"\\\u0000\U0001f600", None]),
        "category": pa.array(["a", "b", None]).dictionary_encode(),
        "binary": pa.array([b"text", b"\xff\x00", None], pa.binary()),
        "fixed": pa.array([b"abcd", b"\xff\xfe\xfd\xfc", None], pa.binary(4)),
        "null": pa.nulls(3),
        "nulls": pa.array([[None], [], None], pa.list_(pa.null())),
        "date": pa.array([day, dt.date(1969, 12, 31), None]),
        "time_ms": pa.array([dt.time(1, 2, 3, 4000), dt.time(0), None], pa.time32("ms")),
        "time_us": pa.array([dt.time(1, 2, 3, 4), dt.time(23, 59, 59, 999999), None], pa.time64("us")),
        "seconds": pa.array([noon.replace(microsecond=0), before.replace(microsecond=0), None], pa.timestamp("s")),
        "milli": pa.array([noon.replace(microsecond=123000), before, None], pa.timestamp("ms")),
        "micro_utc": pa.array([noon, before, None], pa.timestamp("us", tz="UTC")),
        "nano_zone": pa.array([noon, before, None], pa.timestamp("ns", tz="Europe/Berlin")),
        "decimal": pa.array([decimal.Decimal("-1.50"), decimal.Decimal("12345678.90"), None], pa.decimal128(10, 2)),
        "big": pa.array([decimal.Decimal("-99999999999999999999"), decimal.Decimal("1"), None], pa.decimal128(20, 0)),
        "deep": pa.array([[[["a"], []], None], [[None, ["b", "c"]]], None], pa.list_(pa.list_(pa.list_(pa.string())))),
        "by_number": pa.array([[(1, "a"), (2, None)], [], None], pa.map_(pa.int64(), pa.string())),
        "with space.and dot": pa.array(["x", "y", None]),
    }
    return pa.table(c)


write("instances", instances(40))
write("instances-pages", instances(40), row_group_size=17, data_page_size=64, write_batch_size=3, compression="none")
write("instances-v2", instances(40), data_page_version="2.0", compression="zstd", use_dictionary=False)
write("instances-legacy", instances(40), version="1.0", compression="gzip", use_compliant_nested_type=False)
write("values", values(), compression="brotli")
write("values-int96", pa.table({"t": values()["milli"]}), use_deprecated_int96_timestamps=True)
write("empty", instances(0))
