#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/evaluate, which fetches packages if they are not there yet. Run it with any Python."""

import csv
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ROOT / "target/evaluation/bin/python"
PARTS = ["ratio", "forms", "samples", "encode-speed", "floats", "decode-speed", "scan-cost", "keys", "rows"]
TARGETS = ["fastbutsmallish", "smaller", "faster"]
# What a module of the evaluation needs to be imported.
IMPORTS = f"import sys; sys.path[:0] = {[str(ROOT / 'scripts'), str(ROOT / 'scripts/evaluation')]}\n"


def setUpModule():
    subprocess.run([ROOT / "scripts/evaluate", "--help"], stdout=subprocess.DEVNULL, check=True)


class EvaluateTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        self.out = self.directory / "out"

    def evaluate(self, *options):
        return subprocess.run([ROOT / "scripts/evaluate", "--out", self.out, *options],
                              capture_output=True, text=True, check=False)

    def succeed(self, *options):
        done = self.evaluate(*options)
        self.assertEqual(0, done.returncode, done.stderr)
        return done

    def python(self, code, *arguments):
        done = subprocess.run([PYTHON, "-c", IMPORTS + code, *arguments], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def rows(self, part):
        with open(self.out / part / f"{part}.csv", newline="", encoding="utf-8") as lines:
            return list(csv.DictReader(lines))

    def test_quick(self):
        pictures = shutil.which("Rscript") is not None
        self.succeed("--quick", *([] if pictures else ["--no-pictures"]))
        names = ["csv", "md", *(["png", "svg"] if pictures else [])]
        for part in PARTS:
            expected = {"run.json", *(f"{part}.{name}" for name in names)}
            self.assertEqual(expected, {file.name for file in (self.out / part).iterdir()})
        self.assertEqual({*PARTS, "generated"}, {file.name for file in self.out.iterdir()})
        self.check_ratios()
        self.check_floats()
        self.check_forms()
        self.check_samples()
        self.check_speeds()
        self.check_keys()
        self.check_rows()
        self.check_documentation()

    def check_ratios(self):
        found = {}
        for row in self.rows("ratio"):
            found.setdefault((row["table"], row["column"]), {})[row["format"]] = row
        self.assertEqual(
            {"events": 9 + 1, "metrics": 6 + 1, "orders": 6 + 1},
            {table: sum(key[0] == table for key in found) for table in ["events", "metrics", "orders"]})
        everywhere = {"parquet", "parquet-zstd-19", "orc-zstd", "vortex", "duckdb", "lance", "clickhouse-best",
                      "druid-lz4", "druid-best", "shapeshift-smaller", "shapeshift-faster"}
        for (table, column), formats in found.items():
            with self.subTest(f"{table} {column}"):
                self.assertLessEqual(everywhere, formats.keys())
                stock = formats["druid-lz4"]
                self.assertEqual("20000", stock["rows"])
                self.assertLessEqual(int(formats["druid-best"]["bytes"]), int(stock["bytes"]))
                self.assertLess(int(formats["shapeshift-smaller"]["bytes"]), int(stock["bytes"]))
                self.assertEqual(stock["kind"] in ("string", "table"), int(stock["indexBytes"]) > 0)
                self.assertEqual({"0"}, {formats[name]["indexBytes"] for name in ["parquet", "duckdb"]})
                if stock["kind"] in ("integer", "double"):
                    self.assertEqual("160000", stock["plainBytes"])
                # What cannot be packed is not packed: bytes that are left out would be seen here.
                if column == "large":
                    least = {format: int(row["bytes"]) for format, row in formats.items()}
                    self.assertGreater(min(least.values()), 20_000 * 62 // 8 - 25_000, least)
        self.assertEqual(str(20_000 * (4 + 3)), found["events", "constant"]["parquet"]["plainBytes"])

    def check_floats(self):
        columns = {}
        for row in self.rows("floats"):
            columns.setdefault((row["table"], row["column"]), {})[row["format"]] = row
        self.assertEqual({("events", "price"), ("events", "measure"), ("events", "special"), ("metrics", "load"),
                          ("orders", "total"), ("orders", "ratio")}, columns.keys())
        price = columns["events", "price"]
        self.assertEqual(("1.0000", "0.0000"), (price["pcodec"]["decimals"],
                                                columns["events", "measure"]["pcodec"]["decimals"]))
        self.assertLess(int(price["duckdb-alp"]["bytes"]), int(price["clickhouse-gorilla"]["bytes"]) / 3)
        self.assertLess(int(price["shapeshift-smaller"]["bytes"]), int(price["parquet-zstd-3"]["bytes"]))

    def check_forms(self):
        sizes = {}
        for row in self.rows("forms"):
            sizes.setdefault((row["encoding"], row["set"]), {})[row["table"], row["column"]] = int(row["bytes"])
        self.assertEqual({"ids", "long", "double"}, {row["type"] for row in self.rows("forms")})
        for target in ["shapeshift-fastbutsmallish", "shapeshift-smaller"]:
            self.assertLess(sizes[target, "+ Zstandard"]["events", "price"],
                            sizes[target, "uncompressed"]["events", "price"] / 3)
            self.assertLess(sizes[target, "+ Zstandard"]["events", "price"],
                            sizes[target, "without decimals"]["events", "price"])
            self.assertEqual(sizes["druid-lz4", ""].keys(), sizes[target, "without LZ4"].keys())

    def check_samples(self):
        for row in self.rows("samples"):
            if row["selection"] == "1024 x 64":
                self.assertEqual((row["blocks"], row["bestBytes"]), (row["near"], row["bytes"]))

    def check_speeds(self):
        kinds = {(row["table"], row["column"]): row["kind"] for row in self.rows("ratio") if row["column"]}
        for part, expected in [("encode-speed", {"parquet-java-zstd", "orc-java-zstd", "druid-lz4", "druid-zstd"}),
                               ("decode-speed", {"parquet-java-snappy", "orc-java-zstd", "druid-zstd", "vortex"})]:
            columns = {}
            for row in self.rows(part):
                self.assertGreater(float(row["seconds"]), 0)
                self.assertEqual(kinds[row["table"], row["column"]], row["kind"])
                columns.setdefault(row["format"], set()).add((row["table"], row["column"]))
            self.assertLessEqual(expected | {f"shapeshift-{target}" for target in TARGETS}, columns.keys())
            for format in expected:
                self.assertEqual(kinds.keys(), columns[format], format)
        self.assertEqual({"yes", "no"}, {row["simd"] for row in self.rows("decode-speed")})

    def check_keys(self):
        found = {}
        for row in self.rows("keys"):
            found.setdefault((row["format"], row["load"]), []).append(row)
            self.assertEqual("100000", row["keys"])
            self.assertGreaterEqual(int(row["columnBytes"]), 8 * 100_000)
            for column in ["indexBytes", "buildSeconds", "presentNanos", "absentNanos", "bulkPresentNanos",
                           "bulkAbsentNanos"]:
                self.assertGreater(float(row[column]), 0, column)
            self.assertEqual(row["load"] == "two batches", row["secondSeconds"] != "")
            self.assertEqual(row["load"] == "two batches" and row["format"] == "shapeshift", row["mergeSeconds"] != "")
        self.assertEqual({(format, load) for format in ["shapeshift", "duckdb", "kuzu"]
                          for load in ["at once", "two batches"]}, found.keys())
        for format in ["shapeshift", "duckdb", "kuzu"]:
            self.assertEqual("1", found[format, "at once"][0]["threads"])
        # Merging makes the index that all keys have at once.
        self.assertEqual(*(found["shapeshift", load][0]["indexBytes"] for load in ["at once", "two batches"]))

    def check_rows(self):
        rows = self.rows("rows")
        self.assertEqual(
            [("index", "true"), ("index", "false"), ("task", "false")],
            list(dict.fromkeys((row["kind"], row["rollUp"]) for row in rows)))
        for one, other in zip(rows[::2], rows[1::2]):
            self.assertEqual(("druid", "shapeshift"), (one["index"], other["index"]))
            for column in ["rows", "segmentBytes", "outcome"]:
                self.assertEqual(one[column], other[column])
        self.assertEqual("1000", rows[0]["rows"])
        self.assertEqual("done", rows[-1]["outcome"])

    def check_documentation(self):
        document = (ROOT / "docs/evaluation.md").read_text(encoding="utf-8")
        for part in PARTS:
            self.assertIn(f"### {part}\n", document)
        for row in self.rows("ratio") + self.rows("floats"):
            family = row["format"].partition("-")[0]
            self.assertIn(family, document.lower())

    def test_scan_cost(self):
        self.write_results("ratio", "table,column,kind,plainBytes,format,bytes,indexBytes", [
            "t,a,integer,80,parquet,1000000,0", "t,,table,80,parquet,250000000,0",
            "u,b,integer,80,parquet,10,0", "u,,table,80,parquet,125000000,0",
            "t,a,integer,80,shapeshift-faster,10,4", "t,,table,80,shapeshift-faster,500000000,250000000"])
        data = self.write("t.csv", "ts,a\n1,1\n").parent
        options = ["--data", data, "--part", "scan-cost", "--no-pictures", "--gigabits", "1,10", "--cores", "2",
                   "--dollars-per-hour", "3600", "--dollars-per-request", "0.5", "--request-bytes", "125000000"]
        self.succeed(*options)
        found = {(row["table"], row["format"], row["gigabits"]): row for row in self.rows("scan-cost")}
        row = found["t", "parquet", "1"]
        self.assertEqual(["2", "", "2", "network?", "3"], of(row, "networkSeconds decodeSeconds seconds bound dollars"))
        self.assertEqual(["0.2", "1.2"], of(found["t", "parquet", "10"], "seconds dollars"))
        self.assertEqual(["375000000", "4.5"], of(found["", "parquet", "1"], "bytes dollars"))
        self.assertEqual(["500000000", "4"], of(found["t", "shapeshift-faster", "1"], "bytes seconds"))
        self.assertEqual(["250000000", "2"], of(found["t", "shapeshift-faster, no index", "1"], "bytes seconds"))
        self.assertIn("the network alone", (self.out / "scan-cost/scan-cost.md").read_text())

        self.write_results("decode-speed", "table,column,format,simd,seconds",
                           ["t,a,parquet,yes,2", "t,a,parquet,no,9"])
        self.succeed(*options)
        found = {(row["table"], row["format"], row["gigabits"]): row for row in self.rows("scan-cost")}
        self.assertEqual(["1", "2", "network"], of(found["t", "parquet", "1"], "decodeSeconds seconds bound"))
        self.assertEqual(["1", "1", "processor", "2"], of(found["t", "parquet", "10"],
                                                          "decodeSeconds seconds bound dollars"))
        # Not all of its columns have been measured.
        self.assertEqual(["", "network?"], of(found["u", "parquet", "1"], "decodeSeconds bound"))

    def test_tables_are_read_as_they_are(self):
        self.write("a.csv", "x,when,y\n3,2020-01-02 00:00:00,007\n,1970-01-01 00:00:01,\n")
        self.write("a.options.json", '{"timestamp": "when", "types": {"x": "double"}}')
        self.write("b.csv", "2|null|x|2020-01-01|1.5\n1||y \"z\"|2020-01-02|null\n")
        self.write("b.table.sql", 'CREATE TABLE "b"(\n  "the n" smallint NOT NULL,\n  "s" varchar(3),\n'
                                  '  t varchar(9),\n  "d" date,\n  "e" decimal(4, 2)\n);\n')
        self.write("c.jsonl", '{"ts": 5, "f": true, "n": [1]}\n{"ts": 4, "g": 2}\n')
        self.write("c.options.json", '{"leaveOut": ["n"]}')
        self.write("d.csv", "__time,x\n7,1\n5,2\n")
        self.write("d.options.json", '{"leaveOut": ["__time"]}')
        self.write("README.md", "")
        found = self.python("""
import json, pathlib, tables
found = tables.find_tables(pathlib.Path(sys.argv[1]))
read = [tables.read_table(name, file) for name, file in found.items()]
print(json.dumps({t.name: [{c: t.kind(c) for c in t.rows.column_names}, list(t.rows.to_pydict().values())]
                  for t in read}))
""", str(self.directory / "data"))
        self.assertEqual(found["a"], [
            {"__time": "integer", "x": "double", "y": "string"}, [[1000, 1577923200000], [None, 3], [None, "007"]]])
        self.assertEqual(found["b"], [
            {"the n": "integer", "s": "string", "t": "string", "d": "string", "e": "double"},
            [[2, 1], [None, ""], ["x", 'y "z"'], ["2020-01-01", "2020-01-02"], [1.5, None]]])
        self.assertEqual(found["c"], [
            {"__time": "integer", "f": "string", "g": "integer"}, [[4, 5], [None, "true"], [2, None]]])
        self.assertEqual(found["d"], [{"x": "integer"}, [[1, 2]]])

    def test_a_wrong_value_fails_with_format_column_and_row(self):
        self.write("t.csv", "ts,a,d\n1,x,-0.0\n2,,NaN\n3,y,2\n")
        self.write("t.options.json", '{"types": {"d": "double"}}')
        found = self.python("""
import json, pathlib, formats, pyarrow as pa, tables
from columnar_files import UserError
data = pathlib.Path(sys.argv[1])
table = tables.read_table("t", data / "t.csv")
said = []
for column, values in [("a", ["x", "", "y"]), ("a", ["x", None, "z"]), ("d", [0.0, float("nan"), 2.0]),
                       ("d", [-0.0, None, 2.0]), ("d", [-0.0, float("nan"), 2.0])]:
    class Wrong(formats.Parquet):
        def read(self, directory):
            rows = super().read(directory)
            return rows.set_column(rows.column_names.index(column), column, pa.array(values))
    try:
        formats.measure(Wrong("wrong"), table, data, [column])
        said.append("")
    except UserError as e:
        said.append(str(e))
print(json.dumps(said))
""", str(self.directory / "data"))
        file = self.directory / "data/t.csv"
        self.assertEqual([
            f"wrong is wrong on column 'a' of {file}, row 1: it gives back '', not None",
            f"wrong is wrong on column 'a' of {file}, row 2: it gives back 'z', not 'y'",
            f"wrong is wrong on column 'd' of {file}, row 0: it gives back 0.0, not -0.0",
            f"wrong is wrong on column 'd' of {file}, row 1: it gives back None, not nan",
            "",
        ], found)

    def test_a_format_that_is_not_installed(self):
        found = self.python("""
import json, formats
from columnar_files import UserError
class Missing(formats.Format):
    package = "the-package"
    module = "the_module"
here, missing = formats.Parquet("here"), Missing("missing")
try:
    formats.chosen([here, missing], set())
except UserError as e:
    said = str(e)
print(json.dumps([said, *([f.name for f in formats.chosen([here, missing], {name})]
                          for name in ["missing", "the-package"])]))
""")
        self.assertRegex(found[0], "^missing: its package the-package is not installed .*--without the-package$")
        self.assertEqual([["here"], ["here"]], found[1:])

    def test_errors_name_what_is_wrong(self):
        for expected, status, files, *options in [
            ("give --data DIR, or --quick", 2, {}),
            ("give --data DIR, or --quick", 2, {}, "--part", "keys", "--part", "ratio"),
            ("give --data DIR or --quick, not both", 2, {}, "--quick", "--data", "{}/data"),
            ("invalid choice: 'x'", 2, {}, "--quick", "--part", "x"),
            ("'0' is no number above 0", 2, {}, "--quick", "--gigabits", "1,0"),
            ("there is no such directory", 3, {}, "--data", "{}/none"),
            ("no file of rows is there", 3, {"x.txt": ""}, "--data", "{}/data"),
            ("--without xyz: there is no such format; there are chdb", 3, {"t.csv": "t\n1\n"}, "--data", "{}/data",
             "--without", "xyz"),
            ("t.json: ", 3, {"t.csv": "t\n1\n", "t.json": ""}, "--data", "{}/data"),
            ("t.csv: there is no column 'x', which its options name; there are a", 3,
             {"t.csv": "a\n1\n", "t.options.json": '{"timestamp": "x"}'}, "--data", "{}/data"),
            ("t.csv: t.options.json: 'time' is no option", 3,
             {"t.csv": "a\n1\n", "t.options.json": '{"time": "x"}'}, "--data", "{}/data"),
            ("t.csv: t.options.json: the type of 'a' is 'int'; choose one of string, long, double", 3,
             {"t.csv": "a\n1\n", "t.options.json": '{"types": {"a": "int"}}'}, "--data", "{}/data"),
            ("t.csv: column 'a': ", 3,
             {"t.csv": "a\nx\n", "t.options.json": '{"types": {"a": "long"}}'}, "--data", "{}/data"),
            ("t.csv: column 'ts' is no time", 3, {"t.csv": "ts\nx\n"}, "--data", "{}/data"),
            ("t.csv: there is no row", 3, {"t.csv": "a\n"}, "--data", "{}/data"),
            ("t.csv: CSV parse error: Expected 2 columns, got 1", 3,
             {"t.csv": "1\n", "t.table.sql": "CREATE TABLE t(\n a int,\n b int);"}, "--data", "{}/data"),
            ("t.csv: column 'a': ", 3, {"t.csv": "1.5\n", "t.table.sql": "CREATE TABLE t(\n a int);"},
             "--data", "{}/data"),
            ("t.json: column 'a': it has nested objects", 3, {"t.json": '{"a": {"b": 1}}'}, "--data", "{}/data"),
            ("t.json: column 'a': it has lists", 3, {"t.json": '{"a": [1]}'}, "--data", "{}/data"),
        ]:
            with self.subTest(expected):
                shutil.rmtree(self.directory / "data", ignore_errors=True)
                for name, content in files.items():
                    self.write(name, content)
                done = self.evaluate("--no-pictures", *(option.format(self.directory) for option in options))
                self.assertEqual(status, done.returncode, done.stderr)
                self.assertIn(expected, done.stderr)
                self.assertNotIn("Traceback", done.stderr)
                self.assertEqual([], list(self.out.iterdir()) if self.out.exists() else [])

    def write(self, name, content):
        file = self.directory / "data" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(content, encoding="utf-8")
        return file

    def write_results(self, part, header, lines):
        directory = self.out / part
        directory.mkdir(parents=True, exist_ok=True)
        (directory / f"{part}.csv").write_text("\n".join([header, *lines]) + "\n")


def of(row, names):
    return [row[name] for name in names.split()]


if __name__ == "__main__":
    unittest.main()
