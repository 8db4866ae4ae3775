# SPDX-License-Identifier: Apache-2.0
"""Formats that ours are compared with: what they write, how many bytes it has, and what is read back."""

import importlib
import importlib.metadata
import pathlib
import shutil
import sys

import columnar_files
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.orc
import pyarrow.parquet
from columnar_files import UserError

KINDS = ("integer", "double", "string")


class Format:
    """A format with one setting. Bytes of a column are those of a file of this column alone, less those of the same
    file without rows: names, types and the footer's frame do not count, statistics and page headers do."""

    package = "pyarrow"
    module = "pyarrow"
    kinds = KINDS

    def __init__(self, name):
        self.name = name

    def write(self, rows, directory):
        """Writes an Arrow table into an empty directory."""
        raise NotImplementedError

    def read(self, directory):
        """Reads what write() wrote, as an Arrow table."""
        raise NotImplementedError

    def table_bytes(self, directory):
        """Bytes of what write() wrote."""
        return sum(file.stat().st_size for file in directory.rglob("*") if file.is_file())

    def column_bytes(self, rows, directory):
        """Bytes of the only column of rows, which write() wrote."""
        empty = directory.with_name("empty")
        empty.mkdir()
        try:
            self.write(rows.slice(0, 0), empty)
            return self.table_bytes(directory) - self.table_bytes(empty)
        finally:
            shutil.rmtree(empty)


class Parquet(Format):
    def __init__(self, name, **options):
        super().__init__(name)
        self.options = options

    def write(self, rows, directory):
        pa.parquet.write_table(rows, directory / "rows.parquet", **self.options)

    def read(self, directory):
        return pa.parquet.read_table(directory / "rows.parquet")


class Orc(Format):
    def write(self, rows, directory):
        pa.orc.write_table(rows, directory / "rows.orc", compression="zstd",
                           dictionary_key_size_threshold=columnar_files.ORC_DICTIONARIES)

    def read(self, directory):
        return pa.orc.read_table(directory / "rows.orc")


class Vortex(Format):
    package = "vortex-data"
    module = "vortex"

    def __init__(self, name, compact):
        super().__init__(name)
        self.compact = compact

    def write(self, rows, directory):
        from vortex.io import VortexWriteOptions
        options = VortexWriteOptions.compact() if self.compact else VortexWriteOptions.default()
        options.write(rows, str(directory / "rows.vortex"))

    def read(self, directory):
        import vortex
        return vortex.open(str(directory / "rows.vortex")).scan().read_all().to_arrow_table()


class Lance(Format):
    package = "pylance"
    module = "lance"

    def __init__(self, name, **metadata):
        super().__init__(name)
        self.metadata = {f"lance-encoding:{key}": value for key, value in metadata.items()}

    def write(self, rows, directory):
        from lance.file import LanceFileWriter
        schema = pa.schema([field.with_metadata(self.metadata) for field in rows.schema])
        with LanceFileWriter(str(directory / "rows.lance"), schema) as writer:
            for batch in rows.cast(schema).combine_chunks().to_batches():
                writer.write_batch(batch)

    def read(self, directory):
        from lance.file import LanceFileReader
        return LanceFileReader(str(directory / "rows.lance")).read_all().to_table()


class DuckDb(Format):
    """A database. Bytes of a column are those of its blocks without the zeros at their ends: a database has whole
    blocks of 256 KB, and fills them with the ends of several columns."""

    package = module = "duckdb"
    HEADERS = 3 * 4096

    def __init__(self, name, forced=None, kinds=KINDS):
        super().__init__(name)
        self.forced = forced
        self.kinds = kinds

    def write(self, rows, directory):
        with self.connect(directory) as connection:
            if self.forced:
                connection.execute(f"SET force_compression = '{self.forced}'")
            connection.register("arrow", rows)
            connection.execute("CREATE TABLE rows AS SELECT * FROM arrow")
            connection.execute("CHECKPOINT")

    def read(self, directory):
        with self.connect(directory) as connection:
            return connection.sql("SELECT * FROM rows").to_arrow_table()

    def column_bytes(self, rows, directory):
        with self.connect(directory) as connection:
            size, = connection.execute("SELECT block_size FROM pragma_database_size()").fetchone()
            blocks = {block for row in connection.execute(
                "SELECT block_id, additional_block_ids FROM pragma_storage_info('rows')").fetchall()
                for block in [row[0], *row[1]] if block >= 0}
        data = (directory / "rows.duckdb").read_bytes()
        starts = [self.HEADERS + block * size for block in blocks]
        return sum(len(data[start:start + size].rstrip(b"\0")) for start in starts)

    def connect(self, directory):
        import duckdb
        connection = duckdb.connect(str(directory / "rows.duckdb"))
        connection.execute("SET threads = 1")
        return connection


class ClickHouse(Format):
    """A MergeTree table with a codec for each kind of column, in one part. Bytes of a column are those that
    system.parts_columns has, marks included."""

    package = "chdb"
    module = "chdb.session"
    # The only one that a process can have, and where its files are.
    session = None
    directory = None

    def __init__(self, name, codecs, low_cardinality=False):
        super().__init__(name)
        self.codecs = codecs
        self.kinds = tuple(codecs)
        self.low_cardinality = low_cardinality

    def codec(self, _, kind):
        return self.codecs[kind], self.low_cardinality and kind == "string"

    def write(self, rows, directory):
        self.create(rows, directory, [self.codec(field.name, kind_of(field)) for field in rows.schema])

    def create(self, rows, directory, codecs):
        names = [f"`{escaped(name)}`" for name in rows.column_names]
        columns = [f"{name} {self.type(column, low)} CODEC({codec})"
                   for name, column, (codec, low) in zip(names, rows.columns, codecs)]
        self.query("DROP TABLE IF EXISTS default.rows SYNC")
        self.query(f"CREATE TABLE default.rows ({', '.join(columns)}) ENGINE = MergeTree ORDER BY tuple() SETTINGS "
                   "min_bytes_for_wide_part = 0, min_rows_for_wide_part = 0")
        file = directory / "rows.parquet"
        pa.parquet.write_table(rows, file)
        self.query(
            f"INSERT INTO default.rows SELECT * FROM file('{escaped(str(file.resolve()))}') SETTINGS max_threads = 1, "
            "max_insert_threads = 1, input_format_parquet_preserve_order = 1, min_insert_block_size_rows = 100000000, "
            "min_insert_block_size_bytes = 10000000000")
        self.query("OPTIMIZE TABLE default.rows FINAL")
        file.unlink()

    def type(self, column, low_cardinality):
        name = {"integer": "Int64", "double": "Float64", "string": "String"}[kind_of(column)]
        name = f"Nullable({name})" if column.null_count else name
        return f"LowCardinality({name})" if low_cardinality else name

    def read(self, directory):
        return self.query("SELECT * FROM default.rows SETTINGS max_threads = 1, "
                          "output_format_arrow_low_cardinality_as_dictionary = 0", "ArrowTable")

    def table_bytes(self, directory):
        return self.sum("bytes_on_disk", "parts")

    def column_bytes(self, rows, directory):
        return self.sum("column_bytes_on_disk", "parts_columns")

    def sum(self, column, table):
        return int(str(self.query(f"SELECT sum({column}) FROM system.{table} WHERE table = 'rows' AND active", "CSV")))

    @staticmethod
    def close():
        if ClickHouse.session is not None:
            ClickHouse.session.close()
            ClickHouse.session = None

    def query(self, text, format="CSV"):
        if ClickHouse.session is None:
            from chdb.session import Session
            ClickHouse.session = Session(str(ClickHouse.directory))
        return ClickHouse.session.query(text, format)


class ClickHouseBest(ClickHouse):
    """The smallest of ClickHouse's codecs of each column, as its users choose them by hand."""

    CANDIDATES = {
        "integer": [("ZSTD(3)", False), ("Delta, ZSTD(3)", False), ("DoubleDelta, ZSTD(3)", False),
                    ("T64, ZSTD(3)", False)],
        "double": [("ZSTD(3)", False), ("Delta, ZSTD(3)", False), ("Gorilla, ZSTD(3)", False),
                   ("FPC, ZSTD(3)", False)],
        "string": [("ZSTD(3)", False), ("ZSTD(3)", True)],
    }

    def __init__(self, name):
        super().__init__(name, dict.fromkeys(KINDS))

    def write(self, rows, directory):
        best = []
        for name in rows.column_names:
            one = rows.select([name])
            sizes = []
            for candidate in self.CANDIDATES[kind_of(one.schema.field(0))]:
                self.create(one, directory, [candidate])
                sizes.append((self.column_bytes(one, directory), len(sizes), candidate))
            best.append(min(sizes)[2])
        self.create(rows, directory, best)


GENERAL = [
    Parquet("parquet", compression="none"),
    Parquet("parquet-lz4", compression="lz4"),
    Parquet("parquet-snappy", compression="snappy"),
    *[Parquet(f"parquet-zstd-{level}", compression="zstd", compression_level=level) for level in [1, 3, 19]],
    Orc("orc-zstd"),
    Vortex("vortex", compact=False),
    Vortex("vortex-compact", compact=True),
    DuckDb("duckdb"),
    Lance("lance"),
    Lance("lance-zstd", compression="zstd"),
    ClickHouse("clickhouse-lz4", dict.fromkeys(KINDS, "LZ4")),
    *[ClickHouse(f"clickhouse-zstd-{level}", dict.fromkeys(KINDS, f"ZSTD({level})")) for level in [1, 3]],
    ClickHouseBest("clickhouse-best"),
]


def kind_of(field):
    return {pa.int64(): "integer", pa.float64(): "double", pa.string(): "string"}[field.type]


def escaped(text):
    return text.replace("\\", "\\\\").replace("`", "\\`").replace("'", "\\'")


def chosen(formats, without):
    """The formats but those that are left out, by their names or by the names of their packages."""
    rest = [format for format in formats if not {format.name, format.package} & without]
    for format in rest:
        try:
            importlib.import_module(format.module)
        except ImportError as e:
            raise UserError(f"{format.name}: its package {format.package} is not installed ({e}): remove "
                            f"{sys.prefix} to try it again, or leave it out by --without {format.package}") from e
    return rest


def versions(formats):
    packages = {format.package for format in formats}
    if ClickHouse.package in packages:
        packages.add("chdb-core")  # which has ClickHouse's version
    return {package: importlib.metadata.version(package) for package in sorted(packages)}


# ---- Bytes, of what is read back as it was


def measure(format, table, work, only=None):
    """Bytes of each column that the format can store, and with them of the whole table, if no columns are named."""
    bytes_of = {}
    for column in only or table.rows.column_names:
        if table.kind(column) in format.kinds:
            bytes_of[column] = stored(format, table, table.rows.select([column]), work, format.column_bytes)
    if not only:
        bytes_of[None] = stored(format, table, table.rows, work, lambda rows, files: format.table_bytes(files))
    return bytes_of


def stored(format, table, rows, work, count):
    directory = pathlib.Path(work) / "rows"
    directory.mkdir()
    try:
        try:
            format.write(rows, directory)
            size = count(rows, directory)
            back = format.read(directory)
        except (KeyboardInterrupt, UserError):
            raise
        except BaseException as e:  # whatever the libraries throw: a panic of Rust is no Exception
            raise UserError(f"{format.name} failed on {columns_of(table, rows)}: {type(e).__name__}: {e}") from e
        check(format.name, table, rows, back)
        return size
    finally:
        shutil.rmtree(directory)


def columns_of(table, rows):
    columns = f"column '{rows.column_names[0]}'" if rows.num_columns == 1 else f"all {rows.num_columns} columns"
    return f"{columns} of {table.file}"


def check(format, table, rows, back):
    """Fails unless the values that were read back are those that were written, bit by bit but for kinds of NaN."""
    if back.num_rows != rows.num_rows or back.column_names != rows.column_names:
        raise UserError(f"{format} is wrong on {columns_of(table, rows)}: it gives back {back.num_rows} rows of "
                        f"{', '.join(back.column_names)}, not {rows.num_rows}")
    for name in rows.column_names:
        row = first_difference(rows.column(name), back.column(name))
        if row is not None:
            raise UserError(
                f"{format} is wrong on column '{name}' of {table.file}, row {row}: it gives back "
                f"{back.column(name)[row].as_py()!r}, not {rows.column(name)[row].as_py()!r}")


def first_difference(column, other):
    """The first row whose values differ, or None."""
    if isinstance(other.type, pa.DictionaryType):
        other = other.cast(other.type.value_type)
    other = other.cast(column.type)
    same = pc.equal(pc.is_null(column), pc.is_null(other))
    if column.type == pa.string():
        equal = pc.equal(column.fill_null(""), other.fill_null(""))
    else:
        equal = pa.array(bits(column) == bits(other))
    different = pc.invert(pc.and_(same, equal))
    row = pc.index(different, True).as_py()
    return None if row < 0 else row


def bits(column):
    values = column.fill_null(0).to_numpy()
    if values.dtype != np.float64:
        return values
    return np.where(np.isnan(values), np.nan, values).view(np.int64)
