# SPDX-License-Identifier: Apache-2.0
"""Segments of versions 9 and 10, and the kinds of columns ("Where the column stands in a segment")."""

import json
import pathlib

from . import druid
from .bits import Cursor, FormatError, check, crc32c, up
from .byte_strings import byte_strings
from .ints import int_column
from .nested import nested_column
from .numbers import DOUBLE, LONG, TYPES, hash_index, key, number_column, number_dictionary
from .postings import posting_lists
from .strings import string_dictionary

MULTIPLE_VALUES = 1 | 2
NO_BITMAP_INDEX = 4


class Segment:
    """The columns of a directory, by name; those of a projection are called `projection/column`."""

    def __init__(self, directory):
        directory = pathlib.Path(directory)
        self.columns = {}
        self.values = {}
        if (directory / "version.bin").exists():
            check((directory / "version.bin").read_bytes() == b"\0\0\0\x09", "version 9")
            self.files = druid.version_9(directory)
            self.open_version_9()
        else:
            self.files, metadata = druid.version_10((directory / "druid.segment").read_bytes())
            self.open_version_10(metadata)

    def open_version_9(self):
        index = Cursor(self.files["index.drd"], "big")
        columns = [name.decode("utf-8") for name in druid.generic_indexed(index) if name]
        druid.generic_indexed(index)
        index.take(16)
        index.take(index.int())
        if index.left():
            columns += [name.decode("utf-8") for name in druid.generic_indexed(index) if name]
        metadata = json.loads(self.files["metadata.drd"])
        self.projections = {}
        for projection in metadata.get("projections") or []:
            schema = projection["schema"]
            own = schema["groupingColumns"] + [aggregator["name"] for aggregator in schema["aggregators"]]
            self.projections[schema["name"]] = own
            columns += [f"{schema['name']}/{name}" for name in own]
        for name in ["__time", *columns]:
            file = Cursor(self.files[name], "big")
            descriptor = json.loads(file.take(file.int()))
            self.columns[name] = descriptor, file.rest()

    def open_version_10(self, metadata):
        for file, descriptor in metadata["columnDescriptors"].items():
            table, _, name = file.partition("/")
            self.columns[name if table == "__base" else file] = descriptor, self.files[file]
        self.projections = {
            table: [file[len(table) + 1:] for file in metadata["columnDescriptors"] if file.startswith(table + "/")]
            for table in (projection["schema"]["name"] for projection in metadata["projections"]) if table != "__base"}

    def shape_shifting(self):
        """Names of the columns that are not wholly Druid's."""
        return [name for name, (descriptor, _) in self.columns.items() if descriptor["parts"][0]["type"] in PARTS]

    def read(self, name):
        """Values of all rows of a column."""
        if name not in self.values:
            descriptor, data = self.columns[name]
            part, = descriptor["parts"]
            if part["type"] not in PARTS:
                raise FormatError(f"{name}: a part of type {part['type']}")
            self.values[name] = PARTS[part["type"]](self, name, part, data)
        return self.values[name].rows

    def shared(self, name):
        """The column of the base table whose dictionaries a column of a projection uses."""
        table, _, own = name.partition("/")
        if table not in self.projections or own not in self.columns:
            return None
        self.read(own)
        return self.values[own]


def order_of(part):
    return {"LITTLE_ENDIAN": "little", "BIG_ENDIAN": "big"}[part["byteOrder"]]


def ints_of(cursor, order):
    """A column of ints within a part that is little-endian."""
    ints = Cursor(cursor.data[cursor.position:], order)
    values = int_column(ints)
    cursor.take(ints.position)
    return values


class NullColumn:
    """Druid's column without a value."""

    def __init__(self, segment, name, part, data):
        self.rows = [None] * part["numRows"]


class Numbers:
    """Longs, doubles or floats, with nulls and perhaps a hash index."""

    def __init__(self, segment, name, part, data):
        kind = TYPES[part["type"].partition(".")[2]]
        sizes = Cursor(data, "big")
        numbers = Cursor(sizes.take(sizes.int()), order_of(part))
        bits = number_column(numbers, kind)
        numbers.end()
        nulls = set(druid.roaring_bitmap(sizes.take(sizes.int()))) if sizes.left() else set()
        self.rows = [None if row in nulls else kind.number(own) for row, own in enumerate(bits)]
        if part.get("hashIndex"):
            self.check_hash_index(hash_index(sizes.rest()), bits, nulls, kind)
        sizes.end()

    def check_hash_index(self, candidates, bits, nulls, kind):
        rows_of_keys = {}
        for row, own in enumerate(bits):
            if row not in nulls:
                rows_of_keys.setdefault(key(own, kind), []).append(row)
        check(candidates.num_keys == len(rows_of_keys), "number of keys")
        for k, rows in rows_of_keys.items():
            found = [row for row in candidates(k) if key(bits[row], kind) == k]
            check(found == rows, f"rows {found} of a key, not {rows}")


class Strings:
    """Texts with a dictionary: one of a row, or several."""

    def __init__(self, segment, name, part, data):
        cursor = Cursor(data)
        order = order_of(part)
        ours = part.get("parts", [])
        version = cursor.byte()
        flags = Cursor(cursor.take(4), "big").int() if version >= 2 else (0, MULTIPLE_VALUES)[version]
        shared = segment.shared(name)
        if shared:
            self.dictionary = shared.dictionary
        elif "dictionary" in ours:
            self.dictionary = string_dictionary(cursor)
        else:
            self.dictionary = texts_of_druid(cursor)
        check("ids" in ours, f"{name}: Druid's own ids are not read")
        if flags & MULTIPLE_VALUES:
            offsets = ints_of(cursor, order)
            ids = ints_of(cursor, order)
            self.ids = [ids[start:end] for start, end in zip(offsets, offsets[1:])]
            self.rows = [[self.dictionary[id] for id in own] for own in self.ids]
        else:
            self.ids = [[id] for id in ints_of(cursor, order)]
            self.rows = [self.dictionary[id] for id, in self.ids]
        if not flags & NO_BITMAP_INDEX:
            self.check_index(posting_lists(cursor) if "indexes" in ours else druid.bitmaps(cursor), shared)
        if ours != ["ids"]:
            cursor.end()

    def check_index(self, lists, shared):
        if lists is None:
            return
        expected = [[] for _ in self.dictionary]
        for row, ids in enumerate(self.ids):
            if not ids and (shared or self.dictionary[0] is None):
                ids = [0]
            for id in sorted(set(ids)):
                expected[id].append(row)
        check(lists == expected, "rows of ids")


class Auto:
    """Columns of type auto: strings, longs, doubles, arrays, or a mix of them."""

    def __init__(self, segment, name, part, data):
        self.segment = segment
        self.ours = part["files"]
        stock = part["stock"]
        self.order = order_of(stock)
        cursor = Cursor(data)
        check(cursor.byte() == 0, "version of a column of type auto")
        self.base_name = cursor.take(cursor.vbyte()).decode("utf-8")
        if stock["isVariantType"]:
            cursor.byte()
        cursor.end()
        check(self.has("__encodedColumn"), f"{name}: Druid's own ids are not read")
        self.ids = int_column(self.file("__encodedColumn", self.order))
        shared = segment.shared(name)
        if shared:
            self.values, self.element_ids = shared.values, shared.element_ids
        else:
            self.read_dictionaries()
        self.rows = [self.values[id] for id in self.ids]
        for file, kind in (("__longColumn", LONG), ("__doubleColumn", DOUBLE)):
            if self.has(file):
                numbers = number_column(self.file(file, self.order), kind)
                check(all(row is None or kind.bits(row) == own for row, own in zip(self.rows, numbers)), file)
        if self.exists("__valueIndexes"):
            self.check_index("__valueIndexes", [[id] for id in self.ids], range(len(self.values)))
        if self.exists("__arrayElementIndexes") and not shared:
            elements = [self.elements.get(id, []) for id in self.ids]
            self.check_index("__arrayElementIndexes", elements, self.element_ids)

    def read_dictionaries(self):
        """What ids stand for. They count through the dictionaries of strings, longs, doubles and arrays."""
        self.values = []
        if self.exists("__stringDictionary"):
            read = string_dictionary if self.has("__stringDictionary") else texts_of_druid
            self.values += read(self.file("__stringDictionary"))
        for file, kind in (("__longDictionary", LONG), ("__doubleDictionary", DOUBLE)):
            if self.exists(file):
                self.values += number_dictionary(self.file(file).rest(), kind, self.order)
        self.elements = {}
        self.element_ids = []
        if self.exists("__arrayDictionary"):
            for array in druid.front_coded_int_arrays(self.file("__arrayDictionary", self.order)):
                self.elements[len(self.values)] = array
                self.values.append([self.values[id] for id in array])
            self.element_ids = druid.fixed_indexed(self.file("__arrayElementDictionary", self.order), "i")

    def check_index(self, file, ids_of_rows, ids):
        lists = posting_lists(self.file(file)) if self.has(file) else druid.bitmaps(self.file(file))
        expected = {id: [] for id in ids}
        for row, own in enumerate(ids_of_rows):
            for id in sorted(set(own)):
                expected[id].append(row)
        check(lists is None or lists == [expected[id] for id in ids], f"{file} of {self.base_name}")

    def has(self, file):
        """Whether the column has a file, in a form of ours."""
        return file in self.ours and self.exists(file)

    def exists(self, file):
        return f"{self.base_name}.{file}" in self.segment.files

    def file(self, file, order="little"):
        return Cursor(self.segment.files[f"{self.base_name}.{file}"], order)


class Complex:
    """Objects of a type of an extension, as the bytes that its strategy writes."""

    def __init__(self, segment, name, part, data):
        self.rows = byte_strings(Cursor(data))


class Nested:
    """Nested objects."""

    def __init__(self, segment, name, part, data):
        self.rows = nested_column(Cursor(data), part["columnName"], order_of(part), segment.files)


def texts_of_druid(cursor):
    """Druid's own dictionary, a GenericIndexed."""
    return [None if text is None else text.decode("utf-8") for text in druid.generic_indexed(cursor)]


PARTS = {
    "null": NullColumn, "shapeshift.long": Numbers, "shapeshift.double": Numbers, "shapeshift.float": Numbers,
    "shapeshift.stringDictionary": Strings, "shapeshift.nestedCommonFormat": Auto, "shapeshift.complex": Complex,
    "shapeshift.nested": Nested,
}


def checksums(data):
    """For each file, by name, its number of bytes, the size of a block and the CRC-32C of each block."""
    cursor = Cursor(data)
    check(cursor.take(4) == b"SSCK" and cursor.byte() == 1, "file of checksums")
    block_size = 1 << cursor.byte()
    files = {}
    for _ in range(cursor.short()):
        name = cursor.take(cursor.short()).decode("utf-8")
        size = cursor.long()
        files[name] = size, block_size, cursor.array("I", up(size, block_size))
    check(cursor.array("I", 1)[0] == crc32c(data[:cursor.position - 4]), "checksum of the checksums")
    cursor.end()
    return files


def check_file(name, data, listed):
    """Compares a file with its checksums."""
    size, block_size, sums = listed
    check(len(data) == size, f"{name} has {len(data)} bytes, not {size}")
    for block, expected in enumerate(sums):
        check(crc32c(data[block * block_size:(block + 1) * block_size]) == expected, f"{name}: block {block}")


def check_checksums(directory):
    for name, listed in checksums((pathlib.Path(directory) / "shapeshift.checksums").read_bytes()).items():
        check_file(name, (pathlib.Path(directory) / name).read_bytes(), listed)
