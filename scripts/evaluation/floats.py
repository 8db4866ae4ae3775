# SPDX-License-Identifier: Apache-2.0
"""Part floats: bytes of each column of doubles, also in encodings that are made for them."""

import druid
import formats
import numpy as np
import pyarrow.compute as pc
import ratio
from columnar_files import UserError
from float_formats import FLOATS
from tables import plain_bytes
from text import markdown, mean_ratio

NAME = "floats"
QUESTION = "How small are doubles?"
NEEDS = (ratio.NAME,)
COLUMNS = {
    "table": "name of the file without its extensions",
    "column": "name of the column",
    "rows": "rows of the table",
    "nulls": "rows without a value",
    "distinct": "distinct values",
    "decimals": "share of the values that are decimals: an integer below 2^53, divided by a power of ten up to 10^10",
    "format": "format and setting",
    "plainBytes": "bytes as plain binary",
    "bytes": "bytes in this format",
    "forms": "ours: forms of the chunks",
}
PLACES = 10
# Formats that the table in Markdown has; the CSV file and the picture have all.
SHOWN = ["vortex", "vortex-compact", "duckdb", "clickhouse-best", "pcodec", druid.BEST, "shapeshift-fastbutsmallish",
         "shapeshift-smaller"]


def measure(run):
    before = {}
    for row in run.results(ratio.NAME):
        before.setdefault((row["table"], row["column"]), []).append(row)
    rows = []
    for table in run.tables():
        columns = [name for name in table.rows.column_names if table.kind(name) == "double"]
        about = {name: describe(table, name) for name in columns}
        for name in columns:
            found = before.get((table.name, name), [])
            if not found or int(found[0]["plainBytes"]) != about[name]["plainBytes"]:
                raise UserError(f"column '{name}' of {table.file} is not that of {ratio.NAME}.csv: measure the part "
                                f"{ratio.NAME} again")
            rows += [{**about[name], **{key: row[key] for key in ["format", "bytes", "forms"]}} for row in found]
        for format in run.chosen(FLOATS):
            run.progress(f"doubles of {table.name} as {format.name}")
            for name, size in formats.measure(format, table, run.work, columns).items() if columns else ():
                rows.append({**about[name], "format": format.name, "bytes": size})
    if not rows:
        raise UserError(f"no table of {run.options.data} has a column of doubles")
    return rows, text(rows)


def describe(table, name):
    column = table.rows.column(name)
    return {"table": table.name, "column": name, "rows": len(column), "nulls": column.null_count,
            "distinct": pc.count_distinct(column).as_py(), "decimals": f"{decimals(column):.4f}",
            "plainBytes": plain_bytes(column)}


def decimals(column):
    values = column.drop_null().to_numpy()
    found = np.zeros(len(values), bool)
    with np.errstate(all="ignore"):
        for places in range(PLACES + 1):
            scaled = np.rint(values * 10.0**places)
            found |= (np.abs(scaled) < 2.0**53) & (scaled / 10.0**places == values)
    return found.mean() if len(values) else 1.0


def text(rows):
    shown = [format for format in SHOWN if any(row["format"] == format for row in rows)]
    columns = {}
    for row in rows:
        columns.setdefault((row["table"], row["column"]), {})[row["format"]] = row
    lines = []
    for (table, column), found in columns.items():
        best = min(int(found[format]["bytes"]) for format in shown)
        ratios = [f"{ratio_of(found[format]):.2f}" for format in shown]
        bold = [f"**{text}**" if int(found[format]["bytes"]) == best else text for format, text in zip(shown, ratios)]
        lines.append([f"{table} `{column}`", *bold])
    means = [mean_ratio([(int(found[format]["plainBytes"]), int(found[format]["bytes"]))
                         for found in columns.values()]) for format in shown]
    lines.append([f"mean of {len(columns)}", *(f"{mean:.2f}" for mean in means)])
    return ("Ratio of plain binary to bytes; larger is better, the best of a column is bold.\n\n"
            + markdown(["column", *(f"`{format}`" for format in shown)], lines))


def ratio_of(row):
    return int(row["plainBytes"]) / max(int(row["bytes"]), 1)
