# SPDX-License-Identifier: Apache-2.0
"""Druid's own encodings and ours: segments that scripts/shapeshift builds and analyzes."""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess

import formats
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from columnar_files import TIME, UserError
from text import read_csv

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
STOCK = "druid-lz4"
# What Druid's users can set: the smallest of these for each column, with the smallest of Druid's dictionaries.
BEST = "druid-best"
DICTIONARIES = ["utf8", "front-coded-4", "front-coded-16"]
TARGETS = ["fastbutsmallish", "smaller", "faster"]
TYPES = {pa.int64(): "long", pa.float64(): "double", pa.string(): "string"}


@dataclasses.dataclass(frozen=True)
class Bytes:
    """Bytes with the index of values, and of it alone; the index of a number's nulls is no index of values."""

    all: int
    index: int = 0
    forms: tuple = ()


class Segments:
    """Segments of tables in Druid's own columns, and in other encodings of which parts ask."""

    def __init__(self, work):
        self.work = work
        self.segments = work / "segments"
        self.segments.mkdir()

    def has(self, name):
        return (self.segments / name).exists()

    def add(self, table):
        """Builds the segment of a table, and fails unless all its values are those of the table."""
        rows = self.work / "rows.csv"
        write_csv(table, rows)
        types = [f"--type={field.name}={TYPES[field.type]}" for field in table.rows.schema if field.name != TIME]
        time = [f"--timestamp={TIME}"] if table.has_time else ["--no-timestamp"]
        segment = self.segments / table.name
        tool("build", "--input", rows, *time, *types, "--strategy", "compression", "--out", segment)
        rows.unlink()
        self.check(table, segment)

    def check(self, table, segment):
        values = self.work / "values"
        values.mkdir()
        names = table.rows.column_names
        run("SegmentValues.java", java("SegmentValues.java", segment, values, *names))
        back = {name: read_values(values / str(i), table.rows.schema.field(name).type) for i, name in enumerate(names)}
        shutil.rmtree(values)
        formats.check(STOCK, table, table.rows, pa.table(back))

    def sizes(self):
        """Bytes by table, encoding and column, and by table, encoding and None of the whole segment. Each target's
        segments are written as well: the tool reads them back, and fails if a value is not that of Druid's segment."""
        sizes = {}
        for analysis in tool("analyze", "--no-speed", "--json", self.segments)["segments"]:
            sizes[pathlib.Path(analysis["path"]).name] = sizes_of(analysis)
        for target in TARGETS:
            self.converted(f"shapeshift-{target}")
        return sizes

    def converted(self, encoding):
        """The directory of all segments in druid-lz4, druid-zstd or shapeshift-TARGET."""
        family, _, setting = encoding.partition("-")
        out = self.segments if encoding == STOCK else self.work / encoding
        if not out.exists():
            options = ["--target", setting] if family == "shapeshift" else [
                "--strategy", "compression", "--compression", setting, "--metric-compression", setting]
            tool("convert", self.segments, *options, "--out", out)
        return out


def write_csv(table, file):
    """Rows as the tool reads them: nothing is null, "" is the empty string, and NaN has its name in Java."""
    columns = {}
    for name, column in zip(table.rows.column_names, table.rows.columns):
        if column.type == pa.float64() and not pc.all(pc.is_finite(column)).as_py():
            column = named(column)
        columns[name] = column
    pa.csv.write_csv(pa.table(columns), file)


def named(column):
    texts = pc.if_else(pc.is_nan(column), "NaN", column.cast(pa.string()))
    return pc.if_else(pc.is_inf(column), pc.if_else(pc.less(column, 0), "-Infinity", "Infinity"), texts)


def read_values(file, type):
    """A column that SegmentValues.java has written."""
    present = np.fromfile(file.with_name(file.name + ".present"), np.uint8)
    values = np.fromfile(file.with_name(file.name + ".values"), np.int64)
    if type != pa.string():
        return pa.array(values.view(np.float64) if type == pa.float64() else values, mask=present == 0)
    texts = file.with_name(file.name + ".bytes").read_bytes()
    ends = np.concatenate(([0], values))
    nulls = np.packbits(present, bitorder="little")
    return pa.LargeStringArray.from_buffers(len(present), pa.py_buffer(ends), pa.py_buffer(texts), pa.py_buffer(nulls))


def tool(command, *arguments):
    """Runs a command of the tool. Value: what it prints, if that is JSON."""
    out = run(f"shapeshift {command}", [SCRIPTS / "shapeshift", command, *arguments])
    return json.loads(out) if "--json" in arguments else None


def java(program, *arguments):
    """The command that runs a program of this directory with the tool's classes, which the tool has built."""
    lib = next(SCRIPTS.parent.glob("tool/target/*-bin/*/lib"))
    conf = lib.with_name("conf")
    home = os.environ.get("JAVA_HOME")
    return [f"{home}/bin/java" if home else "java", f"@{conf / 'jvm.args'}",
            f"-Dlog4j2.configurationFile={conf / 'log4j2.xml'}", "-cp", lib / "*", SCRIPTS / "evaluation" / program,
            *arguments]


def run(name, command, **more):
    environment = {**os.environ, **more, "LC_ALL": "C.UTF-8"}  # for names of columns in arguments
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        raise UserError(f"{name} failed: {' '.join((done.stderr.strip() or done.stdout.strip()).splitlines()[-3:])}")
    return done.stdout


def measure(work, part, *arguments, jvm=""):
    """Runs `evaluate PART` of the benchmarks' jar. Value: the rows of its CSV file."""
    return benchmark(work, "evaluate", part, *arguments, jvm=jvm)[part]


def benchmark(work, command, *arguments, jvm=""):
    """Runs a command of the benchmarks' jar, with options of the JVM. Value: the rows of each CSV file that it writes,
    as dicts of strings."""
    out = work / f"{command}-results"
    run(f"benchmark {command}", [SCRIPTS / "benchmark", command, *arguments, "--results", out.resolve()],
        JAVA_TOOL_OPTIONS=f"{os.environ.get('JAVA_TOOL_OPTIONS', '')} {jvm}")
    tables = {file.stem: read_csv(file) for file in out.glob("*.csv")}
    shutil.rmtree(out)
    return tables


def sizes_of(analysis):
    sizes = {}
    for column in analysis["columns"]:
        encodings = column["encodings"]
        for encoding, size in encodings.items():
            sizes.setdefault(encoding, {})[column["name"]] = column_bytes(column, size)
        best = min((size for name, size in encodings.items() if name.startswith("druid-")),
                   key=lambda size: size["totalBytes"])
        saved = max([0, *(column["dictionaries"]["utf8"] - column["dictionaries"][name] for name in DICTIONARIES)
                     ]) if column["type"] == "STRING" else 0
        found = column_bytes(column, best)
        sizes.setdefault(BEST, {})[column["name"]] = Bytes(found.all - saved, found.index)
    stock = {name: size.all for name, size in sizes[STOCK].items()}
    for encoding, columns in sizes.items():
        # A column that has not this encoding, as strings have not auto, has Druid's default.
        saved = sum(stock[name] - size.all for name, size in columns.items())
        index = sum((columns.get(name) or sizes[STOCK][name]).index for name in stock)
        columns[None] = Bytes(analysis["bytes"] - saved, index)
    for encoding, size in analysis["encodings"].items():
        sizes[encoding][None] = Bytes(size["segmentBytes"], sizes[encoding][None].index)
    return sizes


def column_bytes(column, size):
    index = size["indexBytes"] if column["type"] == "STRING" else 0
    return Bytes(size["totalBytes"], index, tuple(size.get("forms", ())))
