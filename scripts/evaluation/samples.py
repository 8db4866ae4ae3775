# SPDX-License-Identifier: Apache-2.0
"""Part samples: would it do to choose forms from samples?"""

import druid
from text import markdown

NAME = "samples"
QUESTION = "Would samples do?"
NEEDS = ()
COLUMNS = {
    "table": "name of the file without its extensions",
    "column": "name of the column",
    "type": "`ids` (of strings), `long` or `double`",
    "encoding": "ours under a target",
    "selection": "`all values`: selection as it is; `10 x 64`: from 10 runs of 64 values",
    "values": "values that selection looked at",
    "blocks": "blocks of 65,536 values of the column that were encoded",
    "near": "blocks whose form has at most 1.02 of the weight of the best, for `all values` of its bytes",
    "bytes": "bytes of the blocks in the forms that were chosen",
    "bestBytes": "bytes of the blocks in the best forms, found by encoding all values in each form",
    "selectNanos": "processor time to choose",
    "encodeNanos": "processor time to encode the blocks in the forms that were chosen",
}
# Samples that the table in Markdown has; the CSV file and the picture have all.
SHOWN = ["all values", "10 x 64", "308 x 64"]


def measure(run):
    segments = run.segments()
    run.progress("blocks of columns, with forms from samples")
    options = ["--blocks", "1"] if run.options.quick else []
    rows = [row for row in druid.measure(run.work, NAME, segments.segments, *options) if row["type"] != "float"]
    return rows, text(rows)


def text(rows):
    groups = {}
    for row in rows:
        groups.setdefault((row["encoding"], row["selection"]), []).append(row)
    lines = []
    for (encoding, selection), found in groups.items():
        if selection not in SHOWN:
            continue
        sums = {name: sum(int(row[name]) for row in found)
                for name in ["values", "blocks", "near", "bytes", "bestBytes", "selectNanos", "encodeNanos"]}
        nanos = sums["selectNanos"] + sums["encodeNanos"]
        lines.append([
            f"`{encoding}`", selection, f"{sums['near'] / sums['blocks']:.3f}",
            f"{sums['bytes'] / sums['bestBytes'] - 1:+.4f}", f"{worst(found)}",
            f"{sums['selectNanos'] / nanos:.2f}", f"{nanos / sum_of(groups[encoding, 'all values']):.2f}"])
    return ("*near*: share of the blocks whose form is within 2 % of the best. *lost*: bytes above those of the best "
            "forms, of all blocks together, and the column that loses most. *selection*: its share of the processor "
            "time of encoding. *time*: of selection and encoding, selection as it is = 1.\n\n"
            + markdown(["encoding", "selection", "near", "lost", "most lost", "selection", "time"], lines))


def sum_of(rows):
    return sum(int(row["selectNanos"]) + int(row["encodeNanos"]) for row in rows)


def worst(rows):
    row = max(rows, key=lambda row: int(row["bytes"]) / int(row["bestBytes"]))
    return f"{int(row['bytes']) / int(row['bestBytes']) - 1:+.2f} in {row['table']} `{row['column']}`"
