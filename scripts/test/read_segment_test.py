#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Reads all golden files, and compares their values. PythonReaderTest runs it, and reads whole segments. Run it with any
Python from 3.9 on, which needs nothing else.
"""

import json
import pathlib
import re
import types
import unittest

from reader import numbers
from reader.bits import Cursor, FormatError
from reader.byte_strings import byte_strings
from reader.ints import INT_FORMS, int_chunk, int_column, names_of_encodings
from reader.nested import KEPT, NULL, Structures
from reader.postings import posting_chunk
from reader.segment import Strings, check_file, checksums
from reader.strings import string_dictionary

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "processing/src/test/resources/golden"
ORDERS = ("little", "big")


def examples(name):
    """What a golden file has, by Golden's Javadoc: what stands behind "values", and bytes."""
    spec, data = None, ""
    for line in [*(GOLDEN / f"{name}.hex").read_text(encoding="utf-8").splitlines(), "values "]:
        if line.startswith("values "):
            if spec is not None:
                yield spec, bytes.fromhex(data)
            spec, data = line[len("values "):].strip(), ""
        elif line.startswith(("bytes  ", "former ", "       ")):
            data += line[len("bytes  "):].partition("#")[0]


def spelled_out(spec, parse=int):
    """The values of 3x7 2x5,6 10..12."""
    values = []
    for token in spec.split():
        times, x, repeated = token.partition("x")
        if x and times.isdigit():
            values += spelled_out(repeated, parse) * int(times)
        elif ".." in token:
            first, last = token.split("..")
            values += [parse(str(n)) for n in range(int(first), int(last) + 1)]
        else:
            values += [parse(n) for n in token.split(",")]
    return values


def bits_of(kind):
    """A function that gives the bits of a number in a golden file."""
    def parse(text):
        if text.startswith("bits"):
            return int(text[len("bits"):], 16)
        return kind.bits(int(text) if kind is numbers.LONG else float(text))
    return parse


def document_examples():
    """The bytes of all examples in the document that have a line for each field."""
    found = []
    for block in (ROOT / "docs/format.md").read_text(encoding="utf-8").split("```")[1::2]:
        lines = [re.match(r"([0-9a-f]{2}\b {0,2})*", line).group() for line in block.splitlines()[1:]]
        if any(lines):
            found.append(bytes.fromhex("".join(lines)))
    return found


def between_bars(spec):
    head, *parts, _ = [part.strip() for part in spec.split("|")]
    return head.split(), parts


class GoldenFilesTest(unittest.TestCase):
    maxDiff = 1000

    def test_chunks_of_ints(self):
        names = sorted(path.stem for path in (GOLDEN / "ints").iterdir())
        self.assertEqual(2 * len(INT_FORMS), len(names), "golden files, two for each form in reader/ints.py")
        for name in names:
            for spec, data in examples(f"ints/{name}"):
                with self.subTest(name, values=spec):
                    expected = spelled_out(spec)
                    cursor = Cursor(data, "big" if name.endswith("-big-endian") else "little")
                    self.assertEqual(expected, int_chunk(cursor, len(expected)))

    def test_columns_of_ints(self):
        for order in ORDERS:
            for spec, data in examples(f"columns/ints-{order}-endian"):
                with self.subTest(order, values=spec):
                    self.assertEqual(spelled_out(spec), self.whole(int_column, data, order))

    def whole(self, read, data, order="little"):
        """What is read of bytes, which must be all."""
        cursor = Cursor(data, order)
        found = read(cursor)
        cursor.end()
        return found

    def test_numbers(self):
        for kind in numbers.TYPES.values():
            for order in ORDERS:
                for spec, data in examples(f"numbers/{kind.name}-{order}-endian"):
                    with self.subTest(kind.name, order=order, values=spec):
                        expected = spelled_out(spec.partition(":")[2], bits_of(kind))
                        found = numbers.number_chunk(Cursor(data, order), len(expected), kind)
                        self.assertEqual(expected, found)
                for spec, data in examples(f"columns/{kind.name}s-{order}-endian"):
                    with self.subTest(f"{kind.name}s", order=order, values=spec):
                        expected = spelled_out(spec.partition(":")[2], bits_of(kind))
                        self.assertEqual(
                            expected, self.whole(lambda cursor: numbers.number_column(cursor, kind), data, order))

    def test_dictionaries_of_numbers(self):
        for spec, data in examples("numbers/dictionaries"):
            with self.subTest(spec):
                head, _, values = spec.partition(":")
                kind, parse = (numbers.LONG, int) if head.startswith("long") else (numbers.DOUBLE, float)
                expected = [None] * head.endswith("null") + spelled_out(values, parse)
                self.assertEqual(expected, numbers.number_dictionary(data, kind, "little"))

    def test_posting_lists(self):
        for spec, data in examples("postings/lists"):
            with self.subTest(spec):
                (_, num_rows), lists = between_bars(spec)
                expected = [spelled_out(rows) for rows in lists]
                self.assertEqual(
                    expected, self.whole(lambda cursor: posting_chunk(cursor, len(lists), int(num_rows)), data))

    def test_hash_indexes(self):
        for spec, data in examples("hash/indexes"):
            with self.subTest(spec):
                keys = spelled_out(spec, lambda key: None if key == "null" else numbers.LONG.bits(int(key)))
                rows_of = numbers.hash_index(data)
                for key in set(keys) - {None}:
                    found = [row for row in rows_of(key) if keys[row] == key]
                    self.assertEqual([row for row, own in enumerate(keys) if own == key], found)

    def test_dictionaries_of_strings(self):
        for spec, data in examples("strings/dictionaries"):
            with self.subTest(spec):
                head, parts = between_bars(spec)
                texts = {text for part in parts if part != "null"
                         for text in ([f"{i:02}" for i in range(100)] if part == "00..99" else [part])}
                if head[0] == "test.checked":
                    with self.assertRaisesRegex(FormatError, "texts are in the encoding test.checked"):
                        string_dictionary(Cursor(data))
                else:
                    expected = [None] * ("null" in parts) + sorted(texts)
                    self.assertEqual(expected, self.whole(string_dictionary, data))

    def test_big_endian_strings(self):
        """Ids have the byte order of the column; its dictionary and its posting lists are little-endian."""
        dictionary = next(data for spec, data in examples("strings/dictionaries") if spec.startswith("front | null | | a"))
        ids = bytes.fromhex("01 0a 01 00000003 03 00000001 00000005 00000000 00000005 0001  03 01 06 00 01")
        lists = bytes.fromhex("01 01 83 87 82 91 10 0001  01 00 01 01000000 02  01 01 00 00000000 81 10") + bytes(8)
        part = {"parts": ["ids", "indexes", "dictionary"], "byteOrder": "BIG_ENDIAN"}
        segment = types.SimpleNamespace(shared=lambda name: None)
        column = Strings(segment, "column", part, b"\0" + dictionary + ids + lists)
        self.assertEqual(["b", None, ""], column.rows)

    def test_byte_strings(self):
        for spec, data in examples("blobs"):
            with self.subTest(spec):
                expected = [None if value == "null" else bytes.fromhex(value.strip("-"))
                            for value in spec.partition(":")[2].split()]
                self.assertEqual(expected, byte_strings(Cursor(data)))

    def test_structures(self):
        for spec, data in examples("structures"):
            with self.subTest(spec):
                objects = json.loads(spec.partition(":")[2])
                structures = self.whole(Structures, data)
                self.assertEqual(len(objects), len(structures.ids))
                for row, expected in enumerate(objects):
                    self.assertEqual(expected is None, structures.ids[row] == NULL)
                    if structures.ids[row] not in (NULL, KEPT):
                        self.assertEqual(shape(expected), shape(structures.build(row, lambda field, row: 1)))

    def test_examples_of_the_document(self):
        column, patched, sums = document_examples()
        self.assertEqual([1, 300, 2], self.whole(int_column, column))
        # Lanes 6 to 13 are not shown: values 6 to 13, alone.
        values = spelled_out("5x5,6,7 5 6 300 7 5")
        rest = b"".join((value - 5).to_bytes(4, "little") for value in values[6:14])
        self.assertEqual(values, int_chunk(Cursor(patched[:-8] + rest + patched[-8:]), len(values)))
        listed = checksums(sums)
        check_file("version.bin", bytes.fromhex("00 1f 3e 5d"), listed["version.bin"])
        names = names_of_encodings(Cursor(bytes.fromhex("01 40 10 65 78 61 6d 70 6c 65 2e 70 65 72 69 6f 64 69 63")))
        self.assertEqual({64: "example.periodic"}, names)

    def test_checksums(self):
        for spec, data in examples("checksums"):
            with self.subTest(spec):
                listed = checksums(data)
                self.assertEqual([file.split(":")[0] for file in spec.split()], list(listed))
                for file in spec.split():
                    name, size = file.split(":")
                    check_file(name, bytes(31 * i + (i >> 8) & 255 for i in range(int(size))), listed[name])


def shape(value):
    """An object with 1 for each value and each list of values."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list) and any(isinstance(inner, (dict, list)) for inner in value):
        return [shape(inner) for inner in value]
    return None if value is None else 1


if __name__ == "__main__":
    unittest.main()
