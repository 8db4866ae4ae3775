# SPDX-License-Identifier: Apache-2.0
"""Byte strings: what complex columns store of each row."""

from .bits import Cursor, FormatError, LowBits, check, up, width_of
from .ints import int_column
from .lz4 import lz4_block
from .zstd import zstd_frame

BLOCK_BYTES = 65536


def byte_strings(cursor):
    """All values, None for null."""
    version, flags, num_sections = cursor.byte(), cursor.byte(), cursor.vbyte()
    check(version == 1, f"version {version} of byte strings")
    values = []
    for _ in range(num_sections):
        values += section(cursor)
    cursor.end()
    check(flags == (None in values) + 2 * (b"" in values), "flags of byte strings")
    return values


def section(cursor):
    form, count, longest, size = cursor.byte(), cursor.vbyte(), cursor.vbyte(), cursor.vbyte()
    content = Cursor(cursor.take(size))
    if form not in FORMS:
        raise FormatError(f"form {form} of byte strings")
    values = FORMS[form](content, count)
    if form not in (0, 2):
        content.zeros(8)
    content.end()
    check(len(values) == count, f"{len(values)} values, not {count}")
    check(longest == max((len(value) for value in values if value), default=0), "length of the longest value")
    return values


def constant(cursor, count):
    return [cursor.rest() if cursor.byte() else None] * count


def slices(cursor, count):
    """A function that cuts bytes into values, and the number of these bytes."""
    lengths = int_column(cursor)
    starts = positions(cursor, count)

    def cut(data):
        values = []
        start = 0
        for i, length in enumerate(lengths):
            check(i % 64 or starts[i // 64] == start, f"position of value {i}")
            values.append(data[start:start + length - 1] if length else None)
            start += max(length - 1, 0)
        return values
    return cut, sum(length - 1 for length in lengths if length)


def positions(cursor, count):
    """The position of every 64th value."""
    width = cursor.byte()
    return cursor.bit_stream(up(count, 64), width)


def plain(cursor, count):
    cut, size = slices(cursor, count)
    return cut(cursor.take(size))


def distinct(cursor, count):
    values = [None] + section(cursor)
    return [values[i] for i in int_column(cursor)]


def compressed(decompress):
    def read(cursor, count):
        cut, _ = slices(cursor, count)
        size, width = cursor.long(), cursor.byte()
        starts = cursor.bit_stream(up(size, BLOCK_BYTES) + 1, width)
        blocks = cursor.take(starts[-1])
        data = b"".join(decompress(blocks[start:end]) for start, end in zip(starts, starts[1:]))
        check(len(data) == size, f"{len(data)} bytes, not {size}")
        return cut(data)
    return read


class Words:
    """Words of the section "Words"."""

    def __init__(self, cursor):
        self.word_bytes, self.min_head, count = cursor.byte(), cursor.byte(), cursor.vbyte()
        self.least, self.range = cursor.array("Q", 2)
        self.codes = {}
        if cursor.byte():
            nibbles = [nibble for byte in cursor.take(128) for nibble in (byte & 15, byte >> 4)]
            self.codes = canonical_codes(nibbles)
        groups = [(cursor.array("Q", 1)[0], cursor.int()) for _ in range(up(count, 64))]
        widths = [start for _, start in groups] + [cursor.int()]
        self.distinct = []
        for (first, start), end in zip(groups, widths[1:]):
            self.distinct += [first + above for above in cursor.bit_stream(64, end - start)]
        del self.distinct[count:]

    def read(self, bits, mode, count):
        """So many words in a mode."""
        if count == 0:
            return []
        if mode >= 1 << 28:
            return self.coded(bits, count)
        if mode == 0:
            width = width_of(self.range - 1)
            if self.range == 0:
                width = 8 * self.word_bytes
            return [self.least + bits.read(width) for _ in range(count)]
        if mode == 1:
            width = width_of(len(self.distinct) - 1)
            return [self.distinct[bits.read(width)] for _ in range(count)]
        limit = self.range if mode & 1 else len(self.distinct)
        numbers = [value % limit for value in elias_fano(bits, count, limit * (mode >> 1))]
        if mode & 1:
            return [self.least + number for number in numbers]
        return [self.distinct[i] for i in numbers]

    def coded(self, bits, count):
        words = []
        for _ in range(count):
            word = bytearray()
            for _ in range(self.word_bytes):
                code = "1"
                while code not in self.codes:
                    code += str(bits.read(1))
                word.append(self.codes[code])
            words.append(int.from_bytes(word, "little"))
        return words


def canonical_codes(lengths):
    """The byte of each code, whose bits follow a 1."""
    codes = {}
    code = 0
    for length in range(1, 13):
        for byte, own in enumerate(lengths):
            if own == length:
                codes[f"1{code:0{length}b}"] = byte
                code += 1
        code <<= 1
    return codes


def elias_fano(bits, count, limit):
    """Ascending numbers below the limit."""
    width = 0
    while count << width + 1 <= limit:
        width += 1
    low = [bits.read(width) for _ in range(count)]
    upper = 0
    values = []
    for value in low:
        upper += bits.unary(1)
        values.append(upper << width | value)
    zeros = (limit - 1 >> width) - upper
    check(bits.read(zeros) == 0, "zeros behind an Elias-Fano code")
    return values


def words(cursor, count):
    model = Words(cursor)
    heads = section(cursor)
    counts = int_column(cursor)
    modes = int_column(cursor)
    starts = positions(cursor, count)
    num_bits = cursor.long()
    bits = LowBits(cursor.take(up(num_bits, 8)))
    values = []
    for i, (head, length, mode) in enumerate(zip(heads, counts, modes)):
        check(i % 64 or starts[i // 64] == bits.position, f"position of value {i}")
        own = model.read(bits, mode, length)
        tail = b"".join(word.to_bytes(model.word_bytes, "little") for word in own)
        values.append(None if head is None else head + tail)
    check(bits.position == num_bits, "bits of words")
    return values


FORMS = {0: constant, 1: plain, 2: distinct, 3: words, 4: compressed(lz4_block), 5: compressed(zstd_frame)}
