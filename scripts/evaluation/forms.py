# SPDX-License-Identifier: Apache-2.0
"""Part forms: what each technique of our forms brings."""

import druid
from text import geometric_mean, markdown, mean_ratio

NAME = "forms"
QUESTION = "What does each technique bring?"
NEEDS = ()
COLUMNS = {
    "table": "name of the file without its extensions",
    "column": "name of the column",
    "type": "`ids` (of strings), `long` or `double`",
    "rows": "rows that were encoded",
    "encoding": "Druid's, or ours under a target",
    "set": "techniques: each `+` adds one to those before; `without` leaves one out; empty: Druid's",
    "plainBytes": "bytes as plain binary: 4 for an id, 8 for a number",
    "bytes": "bytes of the rows, without dictionary and index",
    "nanosPerRow": "time of a scan",
    "forms": "forms of the chunks",
}
TYPES = {"ids": 4, "long": 8, "double": 8}
LAST = "+ Zstandard"
TARGETS = ["shapeshift-fastbutsmallish", "shapeshift-smaller"]


def measure(run):
    segments = run.segments()
    run.progress("columns with each set of forms")
    options = ["--rounds", "1", "--rows", "65536"] if run.options.quick else []
    rows = [{**row, "plainBytes": TYPES[row["type"]] * int(row["rows"])}
            for row in druid.measure(run.work, NAME, segments.segments, *options) if row["type"] in TYPES]
    return rows, text(rows)


def text(rows):
    groups = {}
    for row in rows:
        groups.setdefault((row["encoding"], row["set"]), {})[row["table"], row["column"], row["type"]] = row
    types = [type for type in TYPES if any(row["type"] == type for row in rows)]
    counts = {type: sum(key[2] == type for key in groups[druid.STOCK, ""]) for type in types}
    steps = [key for key in groups if not key[1].startswith("without")]
    without = [key for key in groups if key[1].startswith("without")]
    return "\n\n".join([
        "Ratio of plain binary to bytes, and GB/s of plain binary in a scan, geometric means over columns; larger is "
        "better.",
        markdown(["encoding", "techniques", *(f"{type} ({counts[type]})" for type in types),
                  *(f"{type}, GB/s" for type in types)],
                 [[f"`{key[0]}`", key[1], *ratios(groups[key], types), *speeds(groups[key], types)] for key in steps]),
        "Bytes without a technique, with all of them = 1: geometric mean over all columns, the column that grows most, "
        "and all columns together; and the time of a scan, geometric mean.",
        markdown(["encoding", "techniques", "mean", "most", "in", "all bytes", "time"],
                 [[f"`{key[0]}`", key[1], *losses(groups[key], groups[key[0], LAST])] for key in without]),
    ])


def of(group, type):
    return [row for key, row in group.items() if key[2] == type]


def ratios(group, types):
    return [f"{mean_ratio([(row['plainBytes'], int(row['bytes'])) for row in of(group, type)]):.2f}" for type in types]


def speeds(group, types):
    speed = {key: row["plainBytes"] / int(row["rows"]) / float(row["nanosPerRow"]) for key, row in group.items()}
    return [f"{geometric_mean([speed[key] for key in speed if key[2] == type]):.2f}" for type in types]


def losses(group, all_forms):
    bytes_of = {key: int(row["bytes"]) / int(all_forms[key]["bytes"]) for key, row in group.items()}
    worst = max(bytes_of, key=bytes_of.get)
    times = [float(row["nanosPerRow"]) / float(all_forms[key]["nanosPerRow"]) for key, row in group.items()]
    total = sum(int(row["bytes"]) for row in group.values()) / sum(int(row["bytes"]) for row in all_forms.values())
    return [f"{geometric_mean(bytes_of.values()):.3f}", f"{bytes_of[worst]:.2f}", f"{worst[0]} `{worst[1]}`",
            f"{total:.3f}", f"{geometric_mean(times):.2f}"]
