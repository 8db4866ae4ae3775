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
        "Bytes as a share of plain binary; smaller is better. *All* is the sum of the bytes.", shares(whole),
        f"Bytes of whole tables, as files, databases or segments, relative to those of `{base(whole)}`; smaller is "
        "better. *mean* is geometric.", by_table(whole),
    ])


BASE = "parquet-zstd-3"
KINDS = ["integer", "double", "string"]


def by_kind(sizes):
    found = [kind for kind in KINDS if any(value[0] == kind for value in sizes[druid.STOCK].values())]
    counts = {kind: sum(value[0] == kind for value in sizes[druid.STOCK].values()) for kind in found}
    header = ["format", *(f"{kind} ({counts[kind]})" for kind in found), "all columns", "whole tables"]
    rows = []
    for format, columns in sizes.items():
        groups = [*([kind] for kind in found), found, ["table"]]
        rows.append([f"`{format}`", *(f"{mean_ratio(of(columns, kinds)):.2f}" for kinds in groups)])
    return markdown(header, rows)


def of(columns, kinds):
    return [(plain, size) for kind, plain, size in columns.values() if kind in kinds]


def shares(sizes):
    found = [kind for kind in KINDS if of(sizes[druid.STOCK], [kind])]
    plain = {kind: sum(plain for plain, _ in of(sizes[druid.STOCK], [kind])) for kind in found}
    rows = [["plain binary", *(f"{plain[kind] / sum(plain.values()):.3f} of all" for kind in found),
             f"{sum(plain.values()):,} bytes"]]
    for format, columns in sizes.items():
        bytes_of = {kind: sum(size for _, size in of(columns, [kind])) for kind in found}
        rows.append([f"`{format}`", *(f"{bytes_of[kind] / plain[kind]:.3f}" for kind in found),
                     f"{sum(bytes_of.values()) / sum(plain.values()):.3f}"])
    return markdown(["format", *found, "all"], rows)


def base(sizes):
    """The format that whole tables are compared with; Druid's default if it has been left out."""
    return BASE if BASE in sizes else druid.STOCK


def by_table(sizes):
    tables = [table for table, column in sizes[druid.STOCK] if column == ""]
    bases = {table: sizes[base(sizes)][table, ""][2] for table in tables}
    rows = [["bytes", *(f"{bases[table]:,}" for table in tables), ""]]
    for format, columns in sizes.items():
        pairs = [(columns[table, ""][2], bases[table]) for table in tables]
        rows.append([f"`{format}`", *(f"{size / other:.2f}" for size, other in pairs), f"{mean_ratio(pairs):.2f}"])
    return markdown(["format", *tables, "mean"], rows)
