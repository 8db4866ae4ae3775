# SPDX-License-Identifier: Apache-2.0
"""Columns (sections "The column" and "The chunks of ints")."""

from .bits import (
    Cursor, FormatError, LowBits, check, interleaved, lanes_of_32, mod32, sorted_positions, up, word_bits)
from .lz4 import lz4_block
from .zstd import zstd_frame

NAMED = 128


def names_of_encodings(cursor):
    """Encodings of other jars, by id."""
    names = {}
    count = cursor.byte()
    for _ in range(count):
        id = cursor.byte()
        names[id] = cursor.take(cursor.byte()).decode("ascii")
    check(list(names) == sorted(names), "ids of encodings are not sorted")
    return names


def column(cursor, chunk):
    """Values of a column: `chunk` reads one of so many values. Leaves the cursor behind the last chunk."""
    version = cursor.byte()
    check(version == 1, f"version {version} of a column")
    flags = cursor.byte()
    block_size = 1 << (flags & ~NAMED)
    num_forms = cursor.byte()
    num_values = cursor.int()
    composition = [(cursor.byte(), cursor.int(), cursor.int()) for _ in range(num_forms)]
    if flags & NAMED:
        names_of_encodings(cursor)
    num_chunks = sum(count for _, count, _ in composition)
    num_blocks = up(num_values, block_size)
    num_groups = up(num_blocks, 16)
    offsets = cursor.array("i", num_chunks + 1)
    groups = cursor.array("H", num_groups)
    starts = [16 * group + bit for group, bits in enumerate(groups) for bit in range(16) if bits >> bit & 1]
    check(len(starts) == num_chunks, f"{num_chunks} chunks, {len(starts)} in the groups")
    check(sum(size for _, _, size in composition) == offsets[-1], "bytes of the composition")
    data = cursor.take(offsets[-1])
    values = []
    found = {}
    for i, start in enumerate(starts):
        end = starts[i + 1] if i + 1 < num_chunks else num_blocks
        size = min(end * block_size, num_values) - start * block_size
        bytes_of_chunk = data[offsets[i]:offsets[i + 1]]
        form = found.setdefault(bytes_of_chunk[0], [0, 0])
        form[0] += 1
        form[1] += len(bytes_of_chunk)
        part = chunk(Cursor(bytes_of_chunk, cursor.order), size)
        check(len(part) == size, f"chunk {i} has {len(part)} values, not {size}")
        values += part
    check(composition == [(id, *found[id]) for id in sorted(found)], "composition")
    return values


def int_column(cursor):
    return column(cursor, int_chunk)


def int_chunk(cursor, n):
    """n ints of a chunk, which takes all bytes of the cursor."""
    id = cursor.byte()
    if id not in INT_FORMS:
        raise FormatError(f"form {id} of ints")
    values = INT_FORMS[id](cursor, n)
    cursor.end()
    return values


def zero(cursor, n):
    return [0] * n


def constant(cursor, n):
    return [cursor.int()] * n


def unencoded(cursor, n):
    return cursor.array("i", n)


def fixed(cursor, count, num_bytes):
    """Numbers of so many bytes each."""
    data = cursor.take(count * num_bytes)
    return [int.from_bytes(data[i:i + num_bytes], cursor.order) for i in range(0, len(data), num_bytes)]


def bytepack(cursor, n):
    return fixed(cursor, n, cursor.byte())


def rle(cursor, n):
    num_bytes = cursor.byte()
    run = 1 << 8 * num_bytes - 1
    values = []
    words = iter(fixed(cursor, cursor.left() // num_bytes, num_bytes))
    for word in words:
        values += [next(words)] * (word & ~run) if word & run else [word]
    return values


def compressed(decompress):
    def read(cursor, n):
        inner = cursor.byte()
        head = b"" if inner == 3 else cursor.take(1)
        payload = decompress(cursor.rest())
        if inner == 3:
            head = bytes([len(payload) // n])
        return int_chunk(Cursor(bytes([inner]) + head + payload, cursor.order), n)
    return read


def reversed_bits(value, width=10):
    return int(f"{value:0{width}b}"[::-1], 2)


def tans(cursor, n):
    num_bins = cursor.byte() + 1
    width = cursor.byte()
    least = cursor.int()
    bits = LowBits(cursor.take(up(num_bins * (15 + width), 8)))
    table = []
    for _ in range(num_bins):
        weight, offset_bits, low = bits.read(10) + 1, bits.read(5), bits.read(width)
        states = range(len(table), len(table) + weight)
        table += [None] * weight
        for x, state in enumerate(sorted(states, key=reversed_bits), weight):
            n_bits = 10 - (x.bit_length() - 1)
            table[state] = n_bits, reversed_bits((x << n_bits) - 1024), offset_bits, least + low
    check(len(table) == 1024, "weights of bins")
    blocks = cursor.array("H", up(n, 1024))
    values = []
    for size in blocks:
        bits = LowBits(cursor.take(size))
        states = [bits.read(10) for _ in range(8)]
        for i in range(up(min(1024, n - len(values)), 8) * 8):
            n_bits, rest, offset_bits, low = table[states[i % 8]]
            states[i % 8] = bits.read(n_bits) << 10 - n_bits | rest
            values.append(low + bits.read(offset_bits))
        del values[n:]
    cursor.zeros(16)
    return values


def bitpack(cursor, n):
    width = cursor.byte()
    lanes = n
    if width & 32:
        lanes = lanes_of_32(n)
    bases = cursor.array("i", up(n, lanes))
    values = interleaved(cursor, n, width & 31, word_bits(width))
    return [mod32(bases[i // lanes] + value) for i, value in enumerate(values)]


def patched(cursor, n):
    width, exception_width, layout = cursor.byte(), cursor.byte(), cursor.byte()
    num_exceptions, base, exception_base = cursor.short(), cursor.int(), cursor.int()
    positions = sorted_positions(cursor, layout, num_exceptions, n)
    exceptions = cursor.bit_stream(num_exceptions, exception_width)
    cursor.zeros(7)
    values = [mod32(base + code) for code in interleaved(cursor, n, width & 31, word_bits(width))]
    for position, exception in zip(positions, exceptions):
        values[position] = mod32(exception_base + exception)
    return values


def dictionary(cursor, n):
    code_width, entry_width = cursor.byte(), cursor.byte()
    num_entries, base = cursor.short() + 1, cursor.int()
    entries = [mod32(base + entry) for entry in cursor.bit_stream(num_entries, entry_width)]
    return [entries[code] for code in interleaved(cursor, n, code_width)]


def runend(cursor, n):
    width, layout, num_runs, base = cursor.byte(), cursor.byte(), cursor.short(), cursor.int()
    ends = sorted_positions(cursor, layout, num_runs - 1, n) + [n]
    values = []
    for value, end in zip(cursor.bit_stream(num_runs, width), ends):
        values += [mod32(base + value)] * (end - len(values))
    cursor.zeros(7)
    return values


def delta(cursor, n):
    width, min_delta = cursor.byte(), cursor.int()
    stored = cursor.array("i", up(n, 128))
    differences = interleaved(cursor, n, width & 31)
    values = []
    for i, difference in enumerate(differences):
        values.append(mod32(values[-1] + min_delta + difference) if i % 128 else stored[i // 128])
    if width & 32:
        check(values == sorted(values), "values that do not ascend")
    return values


def shuffle(cursor, n):
    num_bytes = cursor.byte()
    planes = [cursor.take(n) for _ in range(num_bytes)]
    return [sum(plane[i] << 8 * k for k, plane in enumerate(planes)) for i in range(n)]


def bytedictionary(cursor, n):
    num_bytes = cursor.byte()
    entries = fixed(cursor, cursor.byte() + 1, num_bytes)
    return [entries[code] for code in cursor.take(n)]


def bits(cursor, n):
    width, base = cursor.byte(), cursor.int()
    stream = cursor.take(up(n * width, 8))
    return [mod32(base + (stream[i * width // 8] >> i * width % 8 & (1 << width) - 1)) for i in range(n)]


def radix(cursor, n):
    num_digits, width, radix, lanes, base = cursor.byte(), cursor.byte(), cursor.short(), cursor.short(), cursor.int()
    rows = up(n, lanes)
    fractions = interleaved(cursor, up(rows, num_digits) * lanes, width, 32, lanes)
    values = []
    for i in range(n):
        row, lane = divmod(i, lanes)
        fraction = fractions[row // num_digits * lanes + lane]
        rest = fraction * radix ** (row % num_digits) % (1 << width)
        values.append(mod32(base + (rest * radix >> width)))
    return values


INT_FORMS = {
    0: zero, 1: constant, 2: unencoded, 3: bytepack, 4: rle, 5: compressed(lz4_block), 6: tans,
    7: compressed(zstd_frame), 8: bitpack, 9: patched, 10: dictionary, 11: runend, 12: delta, 13: shuffle,
    14: bytedictionary, 15: bits, 16: radix,
}
