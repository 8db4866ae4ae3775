# SPDX-License-Identifier: Apache-2.0
"""Part forms: what each technique of our forms brings."""

import druid
from text import geometric_mean, markdown

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
# The column that grows most is named from here on.
LEAST_GROWTH = 1.1


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
    without = list(dict.fromkeys(set for _, set in groups if set.startswith("without")))
    return ("Bytes without a technique, with all of them = 1: geometric mean over all columns, and the column that "
            "grows most; and the time of a scan, geometric mean.\n\n"
            + markdown(["without", *(title for target in TARGETS for title in [f"`{target}`: mean", "most", "time"])],
                       [[set.removeprefix("without "), *(figure for target in TARGETS for figure in losses(
                           groups[target, set], groups[target, LAST]))] for set in without]))


def losses(group, all_forms):
    bytes_of = {key: int(row["bytes"]) / int(all_forms[key]["bytes"]) for key, row in group.items()}
    worst = max(bytes_of, key=bytes_of.get)
    times = [float(row["nanosPerRow"]) / float(all_forms[key]["nanosPerRow"]) for key, row in group.items()]
    most = f"{bytes_of[worst]:.2f}" + (f", {worst[0]} `{worst[1]}`" if bytes_of[worst] >= LEAST_GROWTH else "")
    return [f"{geometric_mean(bytes_of.values()):.3f}", most, f"{geometric_mean(times):.2f}"]
