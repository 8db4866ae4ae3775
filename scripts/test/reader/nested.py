# SPDX-License-Identifier: Apache-2.0
"""Nested columns: structures of objects, and fields."""

from .bits import Cursor, FormatError, check
from .byte_strings import byte_strings
from .druid import front_coded_int_arrays
from .ints import int_column
from .numbers import DOUBLE, LONG, number_column, number_dictionary
from .postings import posting_lists
from .strings import string_dictionary
from .zstd import zstd_frame

NULL, KEPT, FIRST_STRUCTURE = 0, 1, 2
# Dictionaries of numbers (which may be Druid's), arrays, ids, longs and doubles of a field.
IN_ORDER_OF_COLUMN = (1, 2, 3, 4, 5, 6)
# The first byte of Druid's dictionary in several files.
DRUIDS_STRINGS = 2


class Structures:
    """Structures of the objects of all rows."""

    def __init__(self, cursor):
        check(cursor.byte() == 1, "version of structures")
        nulls, kept, count, table_bytes, stored_bytes = (cursor.vbyte() for _ in range(5))
        table = cursor.take(stored_bytes)
        if stored_bytes < table_bytes:
            table = zstd_frame(table)
        check(len(table) == table_bytes, f"{len(table)} bytes of a table, not {table_bytes}")
        table = Cursor(table)
        keys = [table.take(table.varint()).decode("utf-8") for _ in range(table.varint())]
        self.templates = []
        rows = []
        for _ in range(count):
            rows.append(table.varint())
            self.templates.append(template(table, keys))
        table.end()
        self.ids = int_column(cursor)
        self.lists = posting_lists(cursor)
        check([nulls, kept, *rows] == [self.ids.count(id) for id in range(FIRST_STRUCTURE + count)], "numbers of rows")
        check(self.lists is None or self.lists == [
            [row for row, own in enumerate(self.ids) if own == id] for id in range(len(self.lists))],
            "rows of structures")

    def build(self, row, value):
        """The object of a row: `value` gives that of a field."""
        return self.templates[self.ids[row] - FIRST_STRUCTURE](lambda field: value(field, row))


def template(table, keys):
    """A function that makes an object of its fields' values."""
    token = table.varint()
    kind, argument = token & 15, token >> 4
    if kind == 0:
        return lambda value: None
    if kind == 1:
        entries = []
        for _ in range(argument):
            key = table.varint()
            check(key & 15 == 3, "a key")
            entries.append((keys[key >> 4], template(table, keys)))
        return lambda value: {key: inner(value) for key, inner in entries}
    if kind == 2:
        elements = [template(table, keys) for _ in range(argument)]
        return lambda value: [inner(value) for inner in elements]
    if kind in (8, 13):
        return lambda value: boolean(value(argument))
    check(4 <= kind <= 12, f"kind {kind} of a token")
    return lambda value: value(argument)


def boolean(value):
    return [boolean(each) for each in value] if isinstance(value, list) else None if value is None else value != 0


class Field:
    """The values of one field in all rows. What is Druid's, and columns, have the order of the column."""

    def __init__(self, cursor, number, order, structures):
        check(cursor.byte() == 1, "version of a field")
        present, num_ids = cursor.short(), cursor.vbyte()
        sizes = {section: cursor.vbyte() for section in range(16) if present >> section & 1}
        self.sections = {
            section: Cursor(cursor.take(size), order if section in IN_ORDER_OF_COLUMN else "little")
            for section, size in sizes.items()}
        cursor.end()
        if 0 in self.sections and self.sections[0].data[0] == DRUIDS_STRINGS:
            raise FormatError(f"the strings of field {number} are in files of their own, which are not read")
        values = self.numbered_values()
        check(num_ids in (len(values), len(values) - 1), f"{num_ids} ids of {len(values)} values")
        first_id = len(values) - num_ids
        self.of_ids = values[first_id:]
        self.ids = self.ids_of_rows(structures)
        if 8 in self.sections:
            self.check_elements(posting_lists(self.sections[8]), first_id)
        self.check_numbers()
        for section in self.sections.values():
            section.end()

    def numbered_values(self):
        """Null, strings, longs, doubles and arrays."""
        values = string_dictionary(self.sections[0]) if 0 in self.sections else [None]
        for section, kind in ((1, LONG), (2, DOUBLE)):
            if section in self.sections:
                values += number_dictionary(self.sections[section].rest(), kind, self.sections[section].order)
        if 3 in self.sections:
            self.arrays = front_coded_int_arrays(self.sections[3])
            self.first_array = len(values)
            values += [[values[element] for element in array] for array in self.arrays]
        return values

    def ids_of_rows(self, structures):
        lists = posting_lists(self.sections[7]) if 7 in self.sections else None
        if 4 in self.sections:
            ids = int_column(self.sections[4])
            check(lists is None or lists == rows_of_ids(ids, len(lists), self.of_ids), "rows of ids")
            return ids
        ids = [0] * len(structures.ids)
        if 9 in self.sections:
            of_structures = {}
            structure = 1
            while self.sections[9].left():
                structure += self.sections[9].vbyte()
                of_structures[structure] = self.sections[9].vbyte()
            ids = [of_structures.get(structure, 0) for structure in structures.ids]
        for id, rows in enumerate(lists or []):
            for row in rows:
                ids[row] = id
        return ids

    def check_numbers(self):
        """Longs and doubles of the rows are those that the ids stand for."""
        for section, kind, python in ((5, LONG, int), (6, DOUBLE, float)):
            if section in self.sections:
                for row, bits in enumerate(number_column(self.sections[section], kind)):
                    value = self.value(row)
                    check(not isinstance(value, python) or kind.bits(value) == bits, f"number of row {row}")

    def check_elements(self, lists, first_id):
        """Each number below those of arrays has the rows whose arrays it is in."""
        expected = [[] for _ in range(self.first_array)]
        for row, id in enumerate(self.ids):
            array = id + first_id - self.first_array
            for element in set(self.arrays[array]) if array >= 0 else ():
                expected[element].append(row)
        check(lists == expected, "rows of elements")

    def value(self, row):
        return self.of_ids[self.ids[row]]


def rows_of_ids(ids, count, values):
    """The rows of each id; those of null are not listed."""
    lists = [[] for _ in range(count)]
    for row, id in enumerate(ids):
        if values[id] is not None:
            lists[id].append(row)
    return lists


def nested_column(cursor, base_name, order, files):
    """The objects of all rows; one that cannot be rebuilt is {"smile": bytes}."""
    check(cursor.byte() == 1, "version of a nested column")
    num_kept_files, _, _, _, _, num_fields = (cursor.vbyte() for _ in range(6))
    cursor.take(num_fields)
    fields_of_files = [cursor.vbyte() for _ in range(cursor.vbyte())]
    bytes_of_fields = [cursor.vbyte() for _ in range(num_fields)]
    names = string_dictionary(cursor)
    structures = Structures(cursor)
    cursor.end()
    check(len(names) == num_fields == sum(fields_of_files), "number of fields")
    fields = []
    for file, count in enumerate(fields_of_files):
        data = Cursor(files[numbered(f"{base_name}.__fields", file)])
        for _ in range(count):
            number = len(fields)
            fields.append(Field(Cursor(data.take(bytes_of_fields[number])), number, order, structures))
        data.end()
    kept = [value for file in range(num_kept_files)
            for value in byte_strings(Cursor(files[numbered(f"{base_name}.__kept", file)]))]
    objects = []
    for row, id in enumerate(structures.ids):
        if id == KEPT:
            objects.append({"smile": kept[row]})
        else:
            objects.append(None if id == NULL else structures.build(row, lambda field, row: fields[field].value(row)))
    return objects


def numbered(name, file):
    return f"{name}_{file}" if file else name
