# SPDX-License-Identifier: Apache-2.0
"""Columns of numbers ("The chunks of numbers", "Dictionaries of numbers", "Hash indexes"). A number is its bits."""

import struct

from .bits import Cursor, FormatError, check, crc32c, interleaved, signed, sorted_positions, up, width_of
from .druid import fixed_indexed
from .ints import column, int_chunk
from .lz4 import lz4_block
from .postings import posting_lists
from .zstd import zstd_frame


class NumberType:
    """Longs, doubles or floats."""

    def __init__(self, name, size, code):
        self.name = name
        self.bytes = size
        self.mask = (1 << 8 * size) - 1
        self.code = code
        self.bits_code = "Q" if size == 8 else "I"

    def read(self, cursor, count):
        return cursor.array(self.bits_code, count)

    def number(self, bits):
        """The number that has these bits."""
        return struct.unpack(f"<{self.code}", struct.pack(f"<{self.bits_code}", bits))[0]

    def bits(self, number):
        return struct.unpack(f"<{self.bits_code}", struct.pack(f"<{self.code}", number))[0]


LONG = NumberType("long", 8, "q")
DOUBLE = NumberType("double", 8, "d")
FLOAT = NumberType("float", 4, "f")
TYPES = {kind.name: kind for kind in (LONG, DOUBLE, FLOAT)}


def number_column(cursor, kind):
    """Bits of the numbers of a column."""
    return column(cursor, lambda chunk, n: number_chunk(chunk, n, kind))


def number_chunk(cursor, n, kind):
    id = cursor.byte()
    if id not in NUMBER_FORMS:
        raise FormatError(f"form {id} of numbers")
    values = NUMBER_FORMS[id](cursor, n, kind)
    cursor.end()
    return values


def raw(cursor, n, kind):
    return kind.read(cursor, n)


def linear(cursor, n, kind):
    return framed(cursor, n, kind, None)


def decimal(cursor, n, kind):
    return framed(cursor, n, kind, 10)


def framed(cursor, n, kind, radix):
    flags = cursor.byte()
    exponent = cursor.byte() if radix else 0
    base = cursor.long() if flags & 1 else 0
    multiplier = cursor.long() if flags & 2 else 1
    positions = exceptions = []
    if flags & 4:
        num_exceptions, layout = cursor.short(), cursor.byte()
        positions = sorted_positions(cursor, layout, num_exceptions, n)
        exceptions = kind.read(cursor, num_exceptions)
    ints = int_chunk(Cursor(cursor.rest(), cursor.order), n)
    if radix:
        exceptional = set(positions)
        values = [0 if i in exceptional else kind.bits((base + multiplier * value) / 10 ** exponent)
                  for i, value in enumerate(ints)]
    else:
        values = [(base + multiplier * value) & kind.mask for value in ints]
    for position, exception in zip(positions, exceptions):
        values[position] = exception
    return values


def dictionary(cursor, n, kind):
    entries = kind.read(cursor, cursor.short() + 1)
    return [entries[code] for code in int_chunk(Cursor(cursor.rest(), cursor.order), n)]


def delta(cursor, n, kind):
    min_delta, multiplier, base, width = cursor.long(), cursor.long(), cursor.long(), cursor.byte()
    count = up(n, 128)
    if width & 64:
        stored = cursor.array("q", count)
    else:
        stored = [base + above for above in cursor.bit_stream(count, width & 31)]
    cursor.zeros(7)
    values = []
    for i, value in enumerate(int_chunk(Cursor(cursor.rest(), cursor.order), n)):
        number = values[-1] + min_delta + multiplier * value if i % 128 else stored[i // 128]
        values.append(number & kind.mask)
    if width & 32:
        check(values == sorted(values, key=lambda bits: signed(bits, 64)), "numbers that do not ascend")
    return values


def wide(cursor, n, kind):
    width, base = cursor.byte(), cursor.long()
    return [(base + above) & kind.mask for above in interleaved(cursor, n, width, 64)]


def split(cursor, n, kind):
    lower_width, upper_bytes = cursor.byte(), cursor.int()
    upper = int_chunk(Cursor(cursor.take(upper_bytes), cursor.order), n)
    return [high << lower_width | low for high, low in zip(upper, interleaved(cursor, n, lower_width, 64))]


def compressed(decompress):
    def read(cursor, n, kind):
        layout = cursor.byte()
        data = decompress(cursor.rest())
        check(len(data) == n * kind.bytes, f"{len(data)} bytes of {n} numbers")
        if layout == 1:
            return [int.from_bytes(data[i::n], "little") for i in range(n)]
        return kind.read(Cursor(data, cursor.order), n)
    return read


NUMBER_FORMS = {
    0: raw, 1: linear, 2: decimal, 3: dictionary, 4: delta, 5: wide, 6: split, 7: compressed(lz4_block),
    8: compressed(zstd_frame),
}


def number_dictionary(data, kind, order):
    """Longs or doubles, ascending, perhaps behind null."""
    if data[0] == 0:
        return fixed_indexed(Cursor(data, order), kind.code)
    cursor = Cursor(data)
    check(cursor.byte() == 129, "version of a dictionary of numbers")
    has_null, digits, count = cursor.byte(), cursor.byte(), cursor.vbyte()
    first, divisor = cursor.long(), cursor.long()
    heads = [(cursor.long(), cursor.byte(), cursor.int()) for _ in range(up(count, 128))]
    streams = cursor.take(cursor.left() - 8)
    cursor.zeros(8)
    values = [None] if has_null else []
    for i, (base, width, start) in enumerate(heads):
        size = min(128, count - 128 * i)
        part = Cursor(streams[start:])
        for value in part.array("q", size) if width == 64 else part.bit_stream(size, width):
            number = signed(first + divisor * (base + value), 64)
            if kind is LONG:
                values.append(number)
            elif digits == 16:
                values.append(DOUBLE.number((number if number >= 0 else number ^ LONG.mask >> 1) & LONG.mask))
            else:
                values.append(number / 10 ** digits)
    return values


def key(bits, kind):
    """The key of a number in a hash index, as an unsigned long."""
    if kind is LONG:
        return bits
    number = kind.number(bits)
    if number != number:
        bits = 0x7FF8000000000000 if kind is DOUBLE else 0x7FC00000
    sign = 1 << 8 * kind.bytes - 1
    if bits & sign:
        bits ^= sign - 1
    return signed(bits, 8 * kind.bytes) & LONG.mask


def hash_of(k):
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        k = (k ^ k >> 33) * factor & LONG.mask
    return k ^ k >> 33


def hash_index(data):
    """A function that gives the rows of a key, which may be too many by those whose fingerprint is the same."""
    checksums = up(len(data), 4096 + 4)
    body = data[:-4 * checksums]
    cursor = Cursor(data[len(body):])
    for i in range(checksums):
        check(crc32c(body[4096 * i:4096 * (i + 1)]) == cursor.array("I", 1)[0], f"checksum of block {i}")
    cursor = Cursor(body)
    check(cursor.byte() == 1, "version of a hash index")
    num_rows, num_keys, num_entries, num_buckets, num_lists = (cursor.vbyte() for _ in range(5))
    buckets = []
    for _ in range(up(num_buckets, 16)):
        first = cursor.int()
        for count in cursor.take(16):
            buckets.append(range(first, first + count))
            first += count
    fingerprints = cursor.take(num_entries)
    targets = cursor.bit_stream(num_entries, width_of(max(num_rows + num_lists - 1, 0)))
    cursor.zeros(8)
    keys = cursor.array("Q", num_lists)
    lists = posting_lists(cursor) if num_lists else []
    cursor.end()

    def candidates(k):
        """Rows of entries with the fingerprint, and the lists of the key."""
        hashed = hash_of(k)
        rows = []
        for entry in buckets[(hashed >> 32) * num_buckets >> 32] if num_buckets else ():
            if fingerprints[entry] == hashed & 255:
                target = targets[entry]
                if target < num_rows:
                    rows.append(target)
                elif keys[target - num_rows] == k:
                    rows += lists[target - num_rows]
        return rows
    candidates.num_keys = num_keys
    return candidates
