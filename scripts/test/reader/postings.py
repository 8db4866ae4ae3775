# SPDX-License-Identifier: Apache-2.0
"""Posting lists: for each dictionary id the rows that have it."""

from .bits import Cursor, FormatError, LowBits, check, up, width_of
from .druid import roaring_bitmap
from .ints import names_of_encodings


def posting_lists(cursor):
    """All lists, or None if the ids are to be scanned. Leaves the cursor behind them."""
    version, kind = cursor.byte(), cursor.byte()
    check(version == 1 and kind <= 2, f"version {version}, kind {kind} of posting lists")
    num_rows, num_lists = cursor.vbyte(), cursor.vbyte()
    if kind == 0:
        return None
    num_chunks, chunk_bytes = cursor.vbyte(), cursor.vbyte()
    if kind == 2:
        names_of_encodings(cursor)
    if num_chunks == num_lists:
        first_lists = list(range(num_lists))
    else:
        first_lists = cursor.bit_stream(num_chunks, width_of(num_lists - 1))
    starts = cursor.bit_stream(num_chunks, width_of(chunk_bytes))
    chunks = cursor.take(chunk_bytes)
    cursor.zeros(8)
    lists = []
    for first, last, start, end in zip(
            first_lists, first_lists[1:] + [num_lists], starts, starts[1:] + [chunk_bytes]):
        chunk = Cursor(chunks[start:end])
        lists += posting_chunk(chunk, last - first, num_rows)
        chunk.end()
    check(len(lists) == num_lists, f"{num_lists} lists wanted, {len(lists)} found")
    return lists


def posting_chunk(cursor, num_lists, num_rows):
    id = cursor.byte()
    if id not in POSTING_FORMS:
        raise FormatError(f"form {id} of posting lists")
    return POSTING_FORMS[id](cursor, num_lists, num_rows)


def counts(cursor, items, buckets, num_lists):
    """How many items each bucket has."""
    num_bits = items + buckets
    samples = []
    if num_lists > 1 and num_bits > 1024:
        samples = cursor.array("H", (num_bits - 1) // 1024)
    data = cursor.take(up(num_bits, 8))
    for i, sample in enumerate(samples, 1):
        check(sample == sum(bin(byte).count("1") for byte in data[:128 * i]), "samples of counts")
    bits = LowBits(data)
    return [bits.unary(0) for _ in range(buckets)]


def cut(values, sizes):
    parts = []
    start = 0
    for size in sizes:
        parts.append(values[start:start + size])
        start += size
    return parts


def packedrows(cursor, num_lists, num_rows):
    flags, width, base = cursor.byte(), cursor.byte(), cursor.int()
    if flags & 1:
        rows = cursor.vbyte()
        sizes = counts(cursor, rows, num_lists, num_lists)
    elif num_lists == 1:
        sizes = [cursor.vbyte()]
    else:
        sizes = [1] * num_lists
    values = [base + value for value in cursor.bit_stream(sum(sizes), width)]
    if flags & 2:
        values = [i + value for i, value in enumerate(values)]
    return cut(values, sizes)


def eliasfano(cursor, num_lists, num_rows):
    low_width, rows = cursor.byte(), cursor.vbyte()
    buckets = max(num_rows - 1, 0) // (1 << low_width) + 1
    sizes = counts(cursor, rows, num_lists * buckets, num_lists)
    low = iter(cursor.bit_stream(rows, low_width))
    lists = []
    for own in cut(sizes, [buckets] * num_lists):
        lists.append([bucket << low_width | next(low) for bucket, size in enumerate(own) for _ in range(size)])
    return lists


def roaring(cursor, num_lists, num_rows):
    return [roaring_bitmap(cursor.rest())]


def runs(cursor, num_lists, num_rows):
    width, num_runs = cursor.byte(), cursor.vbyte()
    lengths = iter(cursor.bit_stream(num_runs, width))
    return [[row for start in starts for row in range(start, start + next(lengths) + 1)]
            for starts in posting_chunk(cursor, num_lists, num_rows)]


def delta(cursor, num_lists, num_rows):
    left = cursor.vbyte()
    rows = []
    row = -1
    while left:
        size = min(left, 256)
        left -= size
        width, num_exceptions = cursor.byte(), cursor.byte()
        upper_width = 0
        if num_exceptions:
            upper_width = cursor.byte()
        gaps = cursor.bit_stream(size, width)
        places = cursor.take(num_exceptions)
        for place, upper in zip(places, cursor.bit_stream(num_exceptions, upper_width)):
            gaps[place] |= upper << width
        for gap in gaps:
            row += gap + 1
            rows.append(row)
    return [rows]


def complement(cursor, num_lists, num_rows):
    missing = set(posting_chunk(cursor, 1, num_rows)[0])
    return [[row for row in range(num_rows) if row not in missing]]


POSTING_FORMS = {1: packedrows, 2: eliasfano, 3: roaring, 4: runs, 5: delta, 6: complement}
