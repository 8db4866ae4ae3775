# SPDX-License-Identifier: Apache-2.0
"""Writes a table as Parquet and ORC, as scripts/columnar-files calls it."""

import argparse
import gzip
import json
import pathlib
import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.orc
import pyarrow.parquet

TIME = "__time"
TYPES = {"string": pa.string(), "long": pa.int64(), "float": pa.float32(), "double": pa.float64()}
# As scripts/shapeshift build infers types: 007 is a string, since its zeros would be lost.
INTEGER = r"^(0|-?[1-9][0-9]{0,18})$"
DECIMAL = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$"
# Strings have a dictionary in ORC if so many of them, at most, are distinct: what ORC's own writer in Java does. The
# default of pyarrow, 0, is that there are none.
ORC_DICTIONARIES = 0.8


class UserError(Exception):
    """Something that the caller can mend."""


def main():
    options = parse_arguments()
    try:
        table = sorted_as_druid(read_table(options))
        written = write_files(table, options)
    except (UserError, OSError, EOFError, UnicodeDecodeError, pa.ArrowException) as e:
        print(f"columnar-files: {options.input}: {e}", file=sys.stderr)
        return 3
    types = "; ".join(f"{field.name} {field.type}" for field in table.schema)
    print(f"pyarrow {pa.__version__}; {types}\n")
    print_table(
        ["file", "rows", "columns", "bytes"],
        [[str(path), f"{table.num_rows:,}", f"{table.num_columns:,}", f"{path.stat().st_size:,}"] for path in written],
    )
    return 0


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="columnar-files",
        usage="scripts/columnar-files --input FILE --timestamp COLUMN --out DIR [OPTION...]",
        description="Writes the rows of a table, as a segment of Druid's has them, to DIR/NAME.snappy.parquet, "
        "DIR/NAME.zstd.parquet and DIR/NAME.zstd.orc, with dictionaries and else by pyarrow's defaults, and prints "
        "the size of each file. NAME is that of FILE without its extensions; files that are there are replaced.",
        epilog="Rows are sorted by their times, and those of the same time by their values, column by column, as Druid "
        "sorts them. The time is the first column, __time, in milliseconds as a long. Nothing between two commas is "
        "null. In JSON lists stay lists, of strings. Exit status: 0 if all is written, 2 if the command line is wrong, "
        "3 if something cannot be read or written.",
    )
    parser.add_argument("--input", required=True, type=pathlib.Path, metavar="FILE",
                        help="CSV with a header, or JSON lines; gzipped if its name ends in .gz")
    parser.add_argument("--input-format", choices=["csv", "json"],
                        help="the format of FILE (default: what its name tells)")
    parser.add_argument("--timestamp", required=True, metavar="COLUMN",
                        help="the column of the time: ISO 8601, also with a blank for the T, or milliseconds")
    parser.add_argument("--strings", action="store_true",
                        help="make all columns but the time strings; without it each is a long, a double or a string, "
                        "whichever keeps all its values")
    parser.add_argument("--type", action="append", default=[], type=column_type, metavar="COLUMN=TYPE", dest="types",
                        help="the type of one column: string, long, float or double; repeatable")
    parser.add_argument("--zstd-level", type=int, metavar="N",
                        help="the level of Zstandard in Parquet (default: pyarrow's, 1); in ORC there is no choice")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR", help="where the files go")
    options = parser.parse_args()
    if options.input_format is None:
        name = options.input.name.lower().removesuffix(".gz")
        extension = name.rpartition(".")[2]
        options.input_format = {"csv": "csv", "json": "json", "jsonl": "json", "ndjson": "json"}.get(extension)
        if options.input_format is None:
            parser.error(f"the name of {options.input} does not tell its format: give --input-format")
    if options.zstd_level is not None and not 1 <= options.zstd_level <= 22:
        parser.error(f"--zstd-level is {options.zstd_level}: it must be 1 to 22")
    return options


def column_type(text):
    column, _, name = text.rpartition("=")
    if not column or name not in TYPES:
        raise argparse.ArgumentTypeError(f"'{text}' is not COLUMN=TYPE with one of {', '.join(TYPES)}")
    return column, TYPES[name]


# ---- Reading


def read_table(options):
    """The time, and all other columns with their types, in the order of the file."""
    columns = {"csv": read_csv, "json": read_json}[options.input_format](options.input)
    types = dict(options.types)
    for column, option in [(options.timestamp, "--timestamp"), *((column, "--type") for column in types)]:
        if column not in columns:
            raise UserError(f"there is no column '{column}', which {option} names; there are {', '.join(columns)}")
    arrays = {TIME: times(columns.pop(options.timestamp), options.timestamp)}
    for name, values in columns.items():
        if name in arrays:
            raise UserError(f"the table would have the column '{name}' twice")
        wanted = types.get(name, pa.string() if options.strings else None)
        try:
            arrays[name] = values.to_arrow(wanted)
        except (ValueError, TypeError) as e:  # pa.ArrowInvalid is a ValueError
            raise UserError(f"column '{name}': {e}") from e
    table = pa.table(arrays)
    if table.num_rows == 0:
        raise UserError("there is no row")
    return table


class CsvColumn:
    """Strings, among which numbers may be spelled."""

    def __init__(self, strings):
        self.strings = strings

    def to_arrow(self, wanted):
        if wanted is None:
            wanted = self.inferred()
        if wanted == pa.string():
            return self.strings
        return self.without_empty().cast(wanted)

    def inferred(self):
        values = pc.drop_null(self.without_empty())
        if len(values) == 0:
            return pa.string()
        if pc.all(pc.match_substring_regex(values, INTEGER)).as_py():
            try:
                values.cast(pa.int64())
                return pa.int64()
            except pa.ArrowInvalid:  # too large
                return pa.float64()
        return pa.float64() if pc.all(pc.match_substring_regex(values, DECIMAL)).as_py() else pa.string()

    def without_empty(self):
        return pc.if_else(pc.equal(self.strings, ""), None, self.strings)


class JsonColumn:
    """Values as Python has them."""

    def __init__(self):
        self.values = []

    def to_arrow(self, wanted):
        kinds = {type(value) for value in self.values if value is not None}
        if dict in kinds:
            raise UserError("it has nested objects, which have no column of their own here: leave it out")
        if list in kinds:
            return pa.array([None if v is None else texts(v) for v in self.values], pa.list_(pa.string()))
        if wanted is None:
            if kinds == {int} and all(v is None or -(1 << 63) <= v < 1 << 63 for v in self.values):
                wanted = pa.int64()
            else:
                wanted = pa.float64() if kinds and kinds <= {int, float} else pa.string()
        if wanted == pa.string():
            return pa.array([None if v is None else text(v) for v in self.values], wanted)
        return pa.array([None if v in (None, "") else number(v, wanted) for v in self.values], wanted)


def texts(values):
    if any(isinstance(value, (dict, list)) for value in (values if isinstance(values, list) else ())):
        raise UserError("it has nested lists or objects, which have no column of their own here: leave it out")
    return [None if v is None else text(v) for v in (values if isinstance(values, list) else [values])]


def text(value):
    return value if isinstance(value, str) else json.dumps(value)


def number(value, wanted):
    if isinstance(value, bool):
        raise UserError(f"it has {text(value)}, which is no number")
    if wanted != pa.int64():
        return float(value)
    if isinstance(value, float) and not value.is_integer():
        raise UserError(f"it has {value}, which is no long")
    return int(value)


def read_csv(path):
    parsing = pa.csv.ParseOptions(newlines_in_values=True)
    with pa.input_stream(path) as stream, pa.csv.open_csv(stream, parse_options=parsing) as reader:
        names = reader.schema.names
    if len(set(names)) < len(names):
        raise UserError("the header has a column twice")
    strings = pa.csv.ConvertOptions(
        column_types={name: pa.string() for name in names},
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    with pa.input_stream(path) as stream:
        table = pa.csv.read_csv(stream, parse_options=parsing, convert_options=strings)
    return {name: CsvColumn(table[name]) for name in names}


def read_json(path):
    columns = {}
    rows = 0
    opened = gzip.open if path.name.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except json.JSONDecodeError as e:
                raise UserError(f"line {number} is no JSON: {e}") from e
            if not isinstance(row, dict):
                raise UserError(f"line {number} is no JSON object")
            for name, value in row.items():
                if name not in columns:
                    columns[name] = JsonColumn()
                values = columns[name].values
                values.extend([None] * (rows - len(values)))
                values.append(value)
            rows += 1
    for column in columns.values():
        column.values.extend([None] * (rows - len(column.values)))
    return columns


def times(column, name):
    """Milliseconds; of times without a zone, those of UTC, as Druid takes them."""
    try:
        values = column.to_arrow(None)
        if values.type == pa.string():
            try:
                values = values.cast(pa.timestamp("ms"))
            except pa.ArrowInvalid:
                values = values.cast(pa.timestamp("ms", "UTC"))
        values = values.cast(pa.int64())
    except (ValueError, TypeError) as e:
        raise UserError(f"column '{name}' is no time: {e}") from e
    if values.null_count > 0:
        raise UserError(f"column '{name}' has rows without a time")
    return values


# ---- Rows


def sorted_as_druid(table):
    """By the time, and then by the values of each column in turn, nulls first."""
    keys = pa.table([sort_key(column) for column in table.columns], table.column_names)
    return table.take(pc.sort_indices(keys, sort_keys=[(name, "ascending", "at_start") for name in keys.column_names]))


def sort_key(column):
    """Ranks of lists, which pyarrow does not sort: short ones first."""
    if not pa.types.is_list(column.type):
        return column
    lists = [None if v is None else (len(v), [(s is not None, s or "") for s in v]) for v in column.to_pylist()]
    ranks = {}
    for key in sorted(v for v in lists if v is not None):
        ranks.setdefault(str(key), len(ranks))
    return pa.chunked_array([[None if v is None else ranks[str(v)] for v in lists]], pa.int64())


# ---- Writing


def write_files(table, options):
    options.out.mkdir(parents=True, exist_ok=True)
    name = options.input.name
    for extension in [".gz", ".csv", ".json", ".jsonl", ".ndjson"]:
        if name.lower().endswith(extension):
            name = name[: -len(extension)]
    snappy = options.out / f"{name}.snappy.parquet"
    zstd = options.out / f"{name}.zstd.parquet"
    orc = options.out / f"{name}.zstd.orc"
    pa.parquet.write_table(table, snappy, compression="snappy")
    pa.parquet.write_table(table, zstd, compression="zstd", compression_level=options.zstd_level)
    pa.orc.write_table(table, orc, compression="zstd", dictionary_key_size_threshold=ORC_DICTIONARIES)
    return [snappy, zstd, orc]


def print_table(header, rows):
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    for row in [header, *rows]:
        cells = [cell.ljust(widths[i]) if i == 0 else cell.rjust(widths[i]) for i, cell in enumerate(row)]
        print("  ".join(cells).rstrip())


if __name__ == "__main__":
    sys.exit(main())
