# SPDX-License-Identifier: Apache-2.0
"""Tables of the evaluation: files of rows, as Arrow tables with Druid's types and in Druid's order."""

import dataclasses
import json
import pathlib
import re

import columnar_files
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from columnar_files import TIME, UserError

OPTIONS = {"timestamp": str, "types": dict, "leaveOut": list}
TYPES = {"string": pa.string(), "long": pa.int64(), "double": pa.float64()}
# What the time column is called where the options of a table do not name it.
TIMES = [TIME, "timestamp", "@timestamp", "time", "ts"]
# Types of SQL; all others are strings, as in Druid.
SQL_TYPES = {
    **dict.fromkeys(["tinyint", "smallint", "int", "integer", "bigint"], pa.int64()),
    **dict.fromkeys(["decimal", "numeric", "real", "float", "double"], pa.float64()),
}
FILE = re.compile(r"(.+)\.(csv|json|jsonl|ndjson)(\.gz|\.bz2)?", re.IGNORECASE)
# One column of a schema: its name, in quotes or without, and its type.
SQL_COLUMN = re.compile(r'^\s*(?:"((?:[^"]|"")+)"|(\w+))\s+(\w+)', re.MULTILINE)
KINDS = {pa.int64(): "integer", pa.float64(): "double", pa.string(): "string"}


@dataclasses.dataclass(frozen=True)
class Table:
    """Rows in the order of Druid's segment: sorted by the time and all values, or as in the file without a time."""

    name: str
    file: pathlib.Path
    rows: pa.Table

    @property
    def has_time(self):
        return TIME in self.rows.column_names

    def kind(self, column):
        return KINDS[self.rows.schema.field(column).type]


def plain_bytes(column):
    """Bytes as plain binary: 8 for each number, and for each string its UTF-8 and 4 of an offset. Nulls are values."""
    if column.type == pa.string():
        return 4 * len(column) + (pc.sum(pc.binary_length(column)).as_py() or 0)
    return 8 * len(column)


def find_tables(directory):
    """Files of rows in a directory, by the names of their tables."""
    if not directory.is_dir():
        raise UserError(f"{directory}: there is no such directory; --data names the one with the files of rows")
    found = {}
    for file in sorted(directory.iterdir()):
        match = FILE.fullmatch(file.name)
        if match and not file.name.endswith(".options.json"):
            if match[1] in found:
                raise UserError(f"{file}: {found[match[1]].name} is of the same table; keep one of them")
            found[match[1]] = file
    if not found:
        raise UserError(f"{directory}: no file of rows is there, such as NAME.csv.gz or NAME.json")
    return found


def read_table(name, file):
    """The table of a file, with what NAME.options.json and NAME.table.sql beside it say of its columns."""
    rows = check_table(name, file)
    return Table(name, file, columnar_files.sorted_as_druid(rows) if TIME in rows.column_names else rows)


def check_table(name, file):
    """Reads the rows of a file, in its order."""
    try:
        return read_rows(name, file)
    except (UserError, OSError, EOFError, ValueError) as e:  # pa.ArrowInvalid and UnicodeDecodeError are ValueErrors
        raise UserError(f"{file}: {e}") from e


def read_rows(name, file):
    options = read_options(file.with_name(f"{name}.options.json"))
    schema = file.with_name(f"{name}.table.sql")
    types = {column: TYPES[type] for column, type in options.get("types", {}).items()}
    if schema.exists():
        schema_types = read_schema(schema)
        columns = read_delimited(file, list(schema_types))
        types = schema_types | types
    elif FILE.fullmatch(file.name)[2].lower() == "csv":
        columns = columnar_files.read_csv(file)
    else:
        columns = columnar_files.read_json(file)
    left_out = options.get("leaveOut", [])
    time = options.get("timestamp") or next((name for name in TIMES if name in columns and name not in left_out), None)
    for column in [*options.get("types", {}), *left_out, *([time] if time else [])]:
        if column not in columns:
            raise UserError(f"there is no column '{column}', which its options name; there are {', '.join(columns)}")
    arrays = {}
    if time:
        arrays[TIME] = columnar_files.times(columns.pop(time), time)
    for column, values in columns.items():
        if column in left_out:
            continue
        if column in arrays:
            raise UserError(f"the table would have the column '{column}' twice")
        arrays[column] = to_arrow(column, values, types.get(column))
    rows = pa.table(arrays)
    if rows.num_rows == 0:
        raise UserError("there is no row")
    return rows


def to_arrow(column, values, type):
    try:
        array = values.to_arrow(type)
    except (UserError, ValueError, TypeError) as e:
        raise UserError(f"column '{column}': {e}; its options can leave it out or name its type") from e
    if array.type not in KINDS:
        raise UserError(f"column '{column}': it has lists, which have no plain binary: leave it out in its options")
    return array


def read_options(file):
    if not file.exists():
        return {}
    try:
        options = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as e:
        raise UserError(f"{file.name} is no JSON: {e}") from e
    for key, value in options.items() if isinstance(options, dict) else [("", options)]:
        if key not in OPTIONS or not isinstance(value, OPTIONS[key]):
            raise UserError(f"{file.name}: '{key}' is no option, or of another type; there are the string timestamp, "
                            "the object types and the list leaveOut")
    for column, type in options.get("types", {}).items():
        if type not in TYPES:
            raise UserError(f"{file.name}: the type of '{column}' is '{type}'; choose one of {', '.join(TYPES)}")
    return options


# ---- Files of the Public BI benchmark


def read_schema(file):
    """Types of the columns that a CREATE TABLE names, in its order."""
    _, _, body = file.read_text(encoding="utf-8").partition("(")
    types = {}
    for quoted, word, type in SQL_COLUMN.findall(body):
        name = quoted.replace('""', '"') or word
        if name in types:
            raise UserError(f"{file.name} has the column '{name}' twice")
        types[name] = SQL_TYPES.get(type.lower(), pa.string())
    if not types:
        raise UserError(f"{file.name} has no columns: it must be a CREATE TABLE with a column on each line")
    return types


def read_delimited(file, names):
    """Values between |, without a header or quotes; null is null, and nothing is the empty string."""
    options = {
        "read_options": pa.csv.ReadOptions(column_names=names),
        "parse_options": pa.csv.ParseOptions(delimiter="|", quote_char=False),
        "convert_options": pa.csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()), null_values=["null"], strings_can_be_null=True),
    }
    with pa.input_stream(file) as stream:
        rows = pa.csv.read_csv(stream, **options)
    return {name: columnar_files.CsvColumn(rows[name]) for name in names}
