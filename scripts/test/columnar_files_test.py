#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/columnar-files, which fetches pyarrow if it is not there yet. Run it with any Python."""

import gzip
import json
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Prints types and values of a file, by the library that the script has installed.
READ = """
import json, sys
from pyarrow import orc, parquet
table = (orc if sys.argv[1].endswith("orc") else parquet).read_table(sys.argv[1])
print(json.dumps([{field.name: str(field.type) for field in table.schema}, table.to_pydict()]))
"""


class ColumnarFilesTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def run_script(self, name, content, *options):
        file = self.directory / name
        file.write_bytes(gzip.compress(content.encode()) if name.endswith(".gz") else content.encode())
        return subprocess.run(
            [ROOT / "scripts/columnar-files", "--input", file, "--out", self.directory / "out", *options],
            capture_output=True, text=True, check=False)

    def written(self, name, content, *options):
        """Types and values, which are the same in all files."""
        done = self.run_script(name, content, *options)
        self.assertEqual((0, ""), (done.returncode, done.stderr.replace(installing(), "")))
        contents = []
        for extension in ["snappy.parquet", "zstd.parquet", "zstd.orc"]:
            file = self.directory / "out" / f"{name.partition('.')[0]}.{extension}"
            self.assertIn(f"{file.stat().st_size:,}\n", done.stdout)
            python = ROOT / "target/columnar-files/bin/python"
            read = subprocess.run([python, "-c", READ, file], capture_output=True, text=True, check=True)
            contents.append(json.loads(read.stdout))
        self.assertEqual(contents[0], contents[1])
        self.assertEqual(contents[0][1], contents[2][1])
        return contents[0]

    def test_types_and_nulls_of_csv(self):
        types, values = self.written(
            "t.csv.gz",
            'ts,a long,zeros,price,date,flag,none,text\n'
            '1970-01-01 00:00:00.002,-3,007,1.5,2020-01-01,true,,"a,\n""b"""\n'
            '1970-01-01 00:00:01,,1,2,2020-01-02,false,,""\n',
            "--timestamp", "ts")
        self.assertEqual(
            {"__time": "int64", "a long": "int64", "zeros": "string", "price": "double", "date": "string",
             "flag": "string", "none": "string", "text": "string"}, types)
        self.assertEqual(
            {"__time": [2, 1000], "a long": [-3, None], "zeros": ["007", "1"], "price": [1.5, 2],
             "date": ["2020-01-01", "2020-01-02"], "flag": ["true", "false"], "none": [None, None],
             "text": ['a,\n"b"', ""]}, values)

    def test_strings_and_types(self):
        types, values = self.written(
            "t.csv", "t,a,b,c\n1,1,2,3\n", "--timestamp", "t", "--strings", "--type", "b=float", "--type", "c=long")
        self.assertEqual({"__time": "int64", "a": "string", "b": "float", "c": "int64"}, types)
        self.assertEqual({"__time": [1], "a": ["1"], "b": [2], "c": [3]}, values)

    def test_rows_are_sorted_by_time_and_values(self):
        _, values = self.written("t.csv", "a,t,b\nx,2,1\ny,1,10\ny,1,9\n,1,8\n", "--timestamp", "t")
        self.assertEqual({"__time": [1, 1, 1, 2], "a": [None, "y", "y", "x"], "b": [8, 9, 10, 1]}, values)

    def test_json(self):
        rows = [
            {"ts": "2020-01-01T00:00:00.001Z", "tags": ["b", "a"], "n": 1, "flag": True, "mixed": 1},
            {"ts": "2020-01-01T00:00:00.001Z", "tags": "c", "n": 2.5, "mixed": "x", "late": "9"},
            {"ts": "2020-01-01T01:00:00+01:00", "tags": None, "n": None},
        ]
        types, values = self.written("t.json.gz", "\n".join(map(json.dumps, rows)), "--timestamp", "ts")
        self.assertEqual(["int64", "list", "double", "string", "string", "string"],
                         [name.partition("<")[0] for name in types.values()])
        self.assertEqual(
            {"__time": [1577836800000, 1577836800001, 1577836800001], "tags": [None, ["c"], ["b", "a"]],
             "n": [None, 2.5, 1], "flag": [None, None, "true"], "mixed": [None, "x", "1"], "late": [None, "9", None]},
            values)

    def test_errors_name_what_is_wrong(self):
        for expected, status, name, content, *options in [
            ("there is no column 'x', which --timestamp names; there are t", 3, "t.csv", "t\n1\n", "--timestamp", "x"),
            ("column 't' is no time", 3, "t.csv", "t,a\nyesterday,1\n", "--timestamp", "t"),
            ("column 't' has rows without a time", 3, "t.csv", "t,a\n,1\n", "--timestamp", "t"),
            ("column 'a'", 3, "t.csv", "t,a\n1,x\n", "--timestamp", "t", "--type", "a=long"),
            ("Expected 2 columns, got 3", 3, "t.csv", "t,a\n1,1,1\n", "--timestamp", "t"),
            ("there is no row", 3, "t.csv", "t,a\n", "--timestamp", "t"),
            ("line 2 is no JSON", 3, "t.json", '{"t": 1}\n{', "--timestamp", "t"),
            ("nested", 3, "t.json", '{"t": 1, "a": {"b": 1}}', "--timestamp", "t"),
            ("does not tell its format", 2, "t.txt", "t\n1\n", "--timestamp", "t"),
            ("must be 1 to 22", 2, "t.csv", "t\n1\n", "--timestamp", "t", "--zstd-level", "23"),
        ]:
            with self.subTest(expected):
                done = self.run_script(name, content, *options)
                self.assertEqual(status, done.returncode, done.stderr)
                self.assertIn(expected, done.stderr)
                self.assertNotIn("Traceback", done.stderr)
                self.assertFalse((self.directory / "out").exists())


def installing():
    return "columnar-files: installing " + (ROOT / "scripts/requirements.txt").read_text().splitlines()[-1] + "\n"


if __name__ == "__main__":
    unittest.main()
