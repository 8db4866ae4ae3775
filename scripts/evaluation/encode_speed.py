# SPDX-License-Identifier: Apache-2.0
"""Part encode-speed: how fast columns are encoded in the JVM."""

import druid
import ratio
from text import geometric_mean, markdown

NAME = "encode-speed"
QUESTION = "How fast is encoding?"
NEEDS = (ratio.NAME,)
COLUMNS = {
    "table": "name of the file without its extensions",
    "column": "name of the column",
    "kind": "`integer`, `double` or `string`",
    "rows": "rows of the table",
    "format": "format and setting; `parquet-java` and `orc-java` are the libraries of the JVM",
    "plainBytes": "bytes as plain binary",
    "seconds": "processor time of one thread",
}


def measure(run):
    segments = run.segments()
    run.progress("encoding of all columns")
    options = ["--rounds", "1"] if run.options.quick else []
    rows = with_kinds(run, druid.measure(run.work, "encode", segments.segments, *options))
    return rows, text(rows)


def with_kinds(run, rows):
    kinds = {(row["table"], row["column"]): row["kind"] for row in run.results(ratio.NAME)}
    return [{**row, "kind": kinds[row["table"], row["column"]]} for row in rows
            if (row["table"], row["column"]) in kinds]


def text(rows):
    return ("MB/s of plain binary, geometric means over columns, and of all bytes together; larger is better.\n\n"
            + speeds(rows, 1e6))


def speeds(rows, unit, scalar=()):
    """A table of speeds, with a column of those in a JVM without SIMD, if some were measured."""
    kinds = [kind for kind in ratio.KINDS if any(row["kind"] == kind for row in rows)]
    formats = list(dict.fromkeys(row["format"] for row in rows))
    lines = []
    for format in formats:
        found = [row for row in rows if row["format"] == format]
        groups = [*([row for row in found if row["kind"] == kind] for kind in kinds), found]
        means = [geometric_mean([speed(row) / unit for row in group]) for group in groups]
        total = sum(int(row["plainBytes"]) for row in found) / sum(float(row["seconds"]) for row in found) / unit
        slow = [speed(row) / unit for row in scalar if row["format"] == format]
        lines.append([f"`{format}`", *(f"{mean:,.3g}" for mean in means), f"{total:,.3g}",
                      *([f"{geometric_mean(slow):,.3g}" if slow else ""] if scalar else [])])
    header = ["format", *kinds, "all columns", "all bytes", *(["all columns, no SIMD"] if scalar else [])]
    return markdown(header, lines)


def speed(row):
    return int(row["plainBytes"]) / float(row["seconds"])
