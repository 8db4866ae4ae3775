# SPDX-License-Identifier: Apache-2.0
"""Part ratio: bytes of each column and table in each format."""

import druid
import formats
from tables import plain_bytes
from text import markdown, mean_ratio

NAME = "ratio"
QUESTION = "How small are columns and tables?"
NEEDS = ()
COLUMNS = {
    "table": "name of the file without its extensions",
    "column": "name of the column; empty: the whole table",
    "kind": "`integer`, `double` or `string`; `table`: the whole table",
    "rows": "rows of the table",
    "nulls": "rows without a value",
    "format": "format and setting",
    "plainBytes": "bytes as plain binary",
    "bytes": "bytes in this format, with the index of strings",
    "indexBytes": "bytes of the index of strings in them",
    "forms": "ours: forms of the chunks",
}
# Formats that tables in Markdown have; CSV files and pictures have all.
SHOWN = ["parquet-snappy", "parquet-zstd-3", "parquet-zstd-19", "orc-zstd", "vortex", "vortex-compact", "duckdb",
         "lance-zstd", "clickhouse-best", druid.STOCK, druid.BEST, f"{druid.BEST}, no index",
         "shapeshift-fastbutsmallish", "shapeshift-fastbutsmallish, no index", "shapeshift-smaller",
         "shapeshift-faster"]
BESIDE_BASE = ["parquet-zstd-19", "orc-zstd", "vortex-compact", "clickhouse-best", "shapeshift-fastbutsmallish",
               "shapeshift-fastbutsmallish, no index", "shapeshift-smaller"]


def measure(run):
    rows = []
    chosen = run.chosen(formats.GENERAL)
    about = {}
    for table in run.tables():
        about[table.name] = {
            name: {"table": table.name, "column": name, "kind": table.kind(name), "rows": table.rows.num_rows,
                   "nulls": column.null_count, "plainBytes": plain_bytes(column)}
            for name, column in zip(table.rows.column_names, table.rows.columns)}
        about[table.name][None] = {
            "table": table.name, "column": "", "kind": "table", "rows": table.rows.num_rows,
            "nulls": sum(column["nulls"] for column in about[table.name].values()),
            "plainBytes": sum(column["plainBytes"] for column in about[table.name].values())}
        for format in chosen:
            run.progress(f"{table.name} as {format.name}")
            for column, size in formats.measure(format, table, run.work).items():
                rows.append({**about[table.name][column], "format": format.name, "bytes": size, "indexBytes": 0})
        run.add_segment(table)
    run.progress("all segments in each encoding")
    for name, encodings in run.built.sizes().items():
        for encoding, columns in encodings.items():
            for column, size in columns.items():
                # Tables without a time have none but in segments, where rows are counted.
                if column in about[name]:
                    rows.append({**about[name][column], "format": encoding, "bytes": size.all,
                                 "indexBytes": size.index, "forms": " ".join(size.forms)})
    return rows, text(rows)


# ---- Tables


def variants(row):
    """The names of a format and its bytes: with its index, and without."""
    yield row["format"], int(row["bytes"])
    if "shapeshift" in row["format"] or row["format"] in (druid.STOCK, druid.BEST):
        yield f"{row['format']}, no index", int(row["bytes"]) - int(row["indexBytes"])


def text(rows):
    sizes = {}
    for row in rows:
        for format, size in variants(row):
            sizes.setdefault(format, {})[row["table"], row["column"]] = row["kind"], int(row["plainBytes"]), size
    # Those of one kind only, as Druid's auto of longs, have the whole tables in the CSV file.
    columns = {key for key, value in sizes[druid.STOCK].items() if value[0] != "table"}
    whole = {format: found for format, found in sizes.items() if columns <= found.keys()}
    return "\n\n".join([
        "Ratio of plain binary to bytes, geometric mean over columns and tables; larger is better.", by_kind(whole),
        f"Bytes of whole tables, as files, databases or segments, relative to those of `{base(whole)}`; smaller is "
        "better. *mean* is geometric.", by_table(whole),
    ])


BASE = "parquet-zstd-3"
KINDS = ["integer", "double", "string"]


def by_kind(sizes):
    found = [kind for kind in KINDS if any(value[0] == kind for value in sizes[druid.STOCK].values())]
    counts = {kind: sum(value[0] == kind for value in sizes[druid.STOCK].values()) for kind in found}
    header = ["format", *(f"{kind} ({counts[kind]})" for kind in found), "whole tables"]
    rows = []
    for format in shown(SHOWN, sizes):
        columns = sizes[format]
        rows.append([f"`{format}`", *(f"{mean_ratio(of(columns, kind)):.2f}" for kind in [*found, "table"])])
    return markdown(header, rows)


def shown(formats, measured):
    return [format for format in formats if format in measured]


def of(columns, wanted):
    return [(plain, size) for kind, plain, size in columns.values() if kind == wanted]


def base(sizes):
    """The format that whole tables are compared with; Druid's default if it has been left out."""
    return BASE if BASE in sizes else druid.STOCK


def by_table(sizes):
    tables = [table for table, column in sizes[druid.STOCK] if column == ""]
    bases = {table: sizes[base(sizes)][table, ""][2] for table in tables}
    formats = shown(BESIDE_BASE, sizes)
    pairs = {format: [(sizes[format][table, ""][2], bases[table]) for table in tables] for format in formats}
    rows = [[table, f"{bases[table]:,}", *(f"{pairs[format][i][0] / pairs[format][i][1]:.2f}" for format in formats)]
            for i, table in enumerate(tables)]
    rows.append(["mean", "", *(f"{mean_ratio(pairs[format]):.2f}" for format in formats)])
    return markdown(["table", "bytes", *(f"`{format}`" for format in formats)], rows)
