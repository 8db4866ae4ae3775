# SPDX-License-Identifier: Apache-2.0
"""Formats and settings that are made for doubles, beside those of formats.py."""

import numpy as np
import pyarrow as pa
from formats import ClickHouse, DuckDb, Format, Parquet


class ByteStreamSplit(Parquet):
    """Parquet that stores the bytes of doubles apart, by their place in the double."""

    kinds = ("double",)

    def __init__(self, name, **options):
        super().__init__(name, use_dictionary=False, use_byte_stream_split=True, **options)


class Pcodec(Format):
    """Pcodec's standalone files of the values that are not null, and a bit for each row if there are nulls."""

    package = module = "pcodec"
    kinds = ("double",)

    def write(self, rows, directory):
        from pcodec import ChunkConfig, standalone
        column = rows.column(0).combine_chunks()
        if column.null_count:
            (directory / "present").write_bytes(np.packbits(column.is_valid().to_numpy(zero_copy_only=False)).tobytes())
        values = np.ascontiguousarray(column.drop_null().to_numpy())
        (directory / "rows.pco").write_bytes(standalone.simple_compress(values, ChunkConfig()))
        self.written = rows.column_names[0], len(column)

    def read(self, directory):
        from pcodec import standalone
        name, count = self.written
        present = np.ones(count, bool)
        if (directory / "present").exists():
            bits = np.frombuffer((directory / "present").read_bytes(), np.uint8)
            present = np.unpackbits(bits, count=count).astype(bool)
        values = np.zeros(count)
        values[present] = standalone.simple_decompress((directory / "rows.pco").read_bytes())
        return pa.table({name: pa.array(values, mask=~present)})

    def column_bytes(self, rows, directory):
        return self.table_bytes(directory)


class TsFile(Format):
    """Apache TsFile: a time series, whose times are the numbers of the rows that are not null. The file of all rows as
    plain values, without these values, is what times and frame take: it does not count."""

    package = module = "tsfile"
    kinds = ("double",)

    def __init__(self, name, encoding):
        super().__init__(name)
        self.encoding = encoding

    def write(self, rows, directory):
        column = rows.column(0).combine_chunks()
        self.written = rows.column_names[0], len(column)
        times = np.flatnonzero(column.is_valid().to_numpy(zero_copy_only=False))
        self.write_series(directory / "rows.tsfile", self.encoding, times, column.drop_null())

    @staticmethod
    def write_series(file, encoding, times, values):
        from tsfile import Compressor, Tablet, TimeseriesSchema, TSDataType, TSEncoding, TsFileWriter
        writer = TsFileWriter(str(file))
        writer.register_timeseries("root.rows", TimeseriesSchema(
            "value", TSDataType.DOUBLE, TSEncoding[encoding], Compressor.UNCOMPRESSED))
        if len(times):
            tablet = Tablet(["value"], [TSDataType.DOUBLE], len(times))
            tablet.set_table_name("root.rows")
            tablet.set_timestamp_list(times.tolist())
            tablet.get_value_list()[0] = values.to_pylist()
            writer.write_tablet(tablet)
        writer.close()

    def read(self, directory):
        from tsfile import TsFileReader
        name, count = self.written
        values = np.zeros(count)
        present = np.zeros(count, bool)
        reader = TsFileReader(str(directory / "rows.tsfile"))
        found = reader.query_timeseries("root.rows", ["value"], 0, count)
        while found.next():
            row = found.get_value_by_index(1)
            values[row] = found.get_value_by_index(2)
            present[row] = True
        reader.close()
        return pa.table({name: pa.array(values, mask=~present)})

    def column_bytes(self, rows, directory):
        file = directory / "plain.tsfile"
        self.write_series(file, "PLAIN", np.arange(len(rows)), rows.column(0).combine_chunks().fill_null(0))
        frame = file.stat().st_size - 8 * len(rows)
        file.unlink()
        return self.table_bytes(directory) - frame


FLOATS = [
    ByteStreamSplit("parquet-split-zstd-3", compression="zstd", compression_level=3),
    DuckDb("duckdb-alp", forced="alp", kinds=("double",)),
    DuckDb("duckdb-alprd", forced="alprd", kinds=("double",)),
    *[ClickHouse(f"clickhouse-{name}", {"double": codec}) for name, codec in [
        ("gorilla", "Gorilla"), ("fpc", "FPC"), ("delta-zstd-3", "Delta, ZSTD(3)"),
        ("gorilla-zstd-3", "Gorilla, ZSTD(3)"), ("fpc-zstd-3", "FPC, ZSTD(3)")]],
    Pcodec("pcodec"),
    *[TsFile(f"tsfile-{encoding.lower()}", encoding) for encoding in ["GORILLA", "CHIMP", "RLBE"]],
]
