# SPDX-License-Identifier: Apache-2.0
"""Part decode-speed: how fast columns are decoded."""

import shutil
import statistics
import time

import druid
import encode_speed
import formats
import ratio
from columnar_files import UserError
from tables import plain_bytes

NAME = "decode-speed"
QUESTION = "How fast is decoding?"
NEEDS = (ratio.NAME,)
COLUMNS = {
    "table": "name of the file without its extensions",
    "column": "name of the column",
    "kind": "`integer`, `double` or `string`",
    "rows": "rows of the table",
    "format": "format and setting; `parquet-java` and `orc-java` are the libraries of the JVM",
    "simd": "`yes`, or `no`: the JVM with `-XX:-UseSuperWord`",
    "plainBytes": "bytes as plain binary",
    "seconds": "processor time",
}
ENCODINGS = [druid.STOCK, "druid-zstd", *(f"shapeshift-{target}" for target in druid.TARGETS)]
# Formats whose Python packages give Arrow tables without a server or a query between.
NATIVE = ("parquet", "orc", "vortex", "duckdb", "lance")
READS = 5
# What can be told from nothing.
LEAST_SECONDS = 1e-5


def measure(run):
    segments = run.segments()
    rows = []
    encoded = [f"--encoded={encoding}={segments.converted(encoding)}" for encoding in ENCODINGS]
    options = ["--rounds", "1"] if run.options.quick else []
    for simd, jvm in [("yes", ""), ("no", "-XX:-UseSuperWord")]:
        run.progress(f"decoding of all columns in the JVM {jvm}")
        found = druid.measure(run.work, "decode", segments.segments, *encoded, *options, jvm=jvm)
        rows += [{**{key: row[key] for key in COLUMNS if key in row}, "simd": simd}
                 for row in encode_speed.with_kinds(run, found)]
    for table in run.tables():
        for format in run.chosen([format for format in formats.GENERAL if format.name.startswith(NATIVE)]):
            run.progress(f"decoding of {table.name} as {format.name}")
            rows += native(run, format, table)
    return rows, text(rows)


def native(run, format, table):
    """Times of each column, less those of a file without rows, which is opened as well."""
    reads = 1 if run.options.quick else READS
    for name, column in zip(table.rows.column_names, table.rows.columns):
        rows = table.rows.select([name])
        try:
            seconds = timed(run, format, rows, reads) - timed(run, format, rows.slice(0, 0), reads)
        except Exception as e:
            raise UserError(f"{format.name} failed on column '{name}' of {table.file}: {e}") from e
        yield {"table": table.name, "column": name, "kind": table.kind(name), "rows": table.rows.num_rows,
               "format": format.name, "simd": "yes", "plainBytes": plain_bytes(column),
               "seconds": f"{max(seconds, LEAST_SECONDS):.6f}"}


def timed(run, format, rows, reads):
    """Median of the processor times of reading rows."""
    directory = run.work / "decoded"
    directory.mkdir()
    try:
        format.write(rows, directory)
        seconds = []
        for _ in range(reads):
            begin = time.process_time()
            format.read(directory)
            seconds.append(time.process_time() - begin)
        return statistics.median(seconds)
    finally:
        shutil.rmtree(directory)


def text(rows):
    other = {format.name for format in formats.GENERAL} - {*ratio.SHOWN}
    shown = [row for row in rows if row["format"] not in other]
    return ("GB/s of plain binary, geometric means over columns, and of all bytes together; larger is better. "
            "*no SIMD*: in a JVM with `-XX:-UseSuperWord`.\n\n"
            + encode_speed.speeds([row for row in shown if row["simd"] == "yes"], 1e9,
                                  [row for row in shown if row["simd"] == "no"]))
