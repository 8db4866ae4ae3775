# SPDX-License-Identifier: Apache-2.0
"""Druid's own parts of a segment, as its sources have them: files of versions 9 and 10, and parts of columns."""

import json

from .bits import Cursor, check, up


def version_9(directory):
    """Files of a segment: meta.smoosh has a line per file, with the number of its smoosh file, its start and end."""
    lines = (directory / "meta.smoosh").read_text(encoding="utf-8").splitlines()
    version, _, num_smooshes = lines[0].split(",")
    check(version == "v1", f"version {version} of meta.smoosh")
    smooshes = [(directory / f"{i:05}.smoosh").read_bytes() for i in range(int(num_smooshes))]
    files = {}
    for line in lines[1:]:
        name, number, start, end = line.rsplit(",", 3)
        files[name] = smooshes[int(number)][int(start):int(end)]
    return files


def version_10(data):
    """Files of a segment and its metadata."""
    check(data[0] == 10 and data[1] == 0xFE, "version 10 with metadata that is not compressed")
    size = int.from_bytes(data[2:6], "little")
    metadata = json.loads(data[6:6 + size])
    files = {}
    for name, file in metadata["files"].items():
        start = 6 + size + metadata["containers"][file["container"]]["startOffset"] + file["startOffset"]
        files[name] = data[start:start + file["size"]]
    return files, metadata


def generic_indexed(cursor):
    """The byte strings of a GenericIndexed of version 1, which is big-endian. None is null."""
    head = Cursor(cursor.take(6), "big")
    check(head.byte() == 1, "a GenericIndexed of several files")
    head.byte()
    body = Cursor(cursor.take(head.int()), "big")
    ends = body.array("i", body.int())
    values = []
    data = body.rest()
    for start, end in zip([0] + ends, ends):
        null = data[start:start + 4] == b"\xff\xff\xff\xff"
        values.append(None if null else data[start + 4:end])
    return values


def fixed_indexed(cursor, code):
    """Numbers of a FixedIndexed, perhaps behind null."""
    check(cursor.byte() == 0, "version of a FixedIndexed")
    has_null = cursor.byte() & 1
    return [None] * has_null + cursor.array(code, cursor.int())


def front_coded_int_arrays(cursor):
    """Arrays of ints of a FrontCodedIntArrayIndexed, perhaps behind null."""
    check(cursor.byte() == 0, "version of a FrontCodedIntArrayIndexed")
    bucket_size, has_null = cursor.byte(), cursor.byte()
    count = cursor.vbyte()
    body = Cursor(cursor.take(cursor.vbyte()), cursor.order)
    body.take(4 * max(up(count, bucket_size) - 1, 0))
    arrays = []
    for i in range(count):
        shared = arrays[-1][:body.vbyte()] if i % bucket_size else []
        arrays.append(shared + body.array("i", body.vbyte()))
    return [None] * has_null + arrays


def roaring_bitmap(data):
    """Rows of a bitmap, by the RoaringFormatSpec."""
    if not data:
        return []
    cursor = Cursor(data)
    cookie = cursor.array("I", 1)[0]
    is_run = []
    if cookie & 0xFFFF == 12347:
        count = (cookie >> 16) + 1
        flags = cursor.take(up(count, 8))
        is_run = [flags[i // 8] >> i % 8 & 1 for i in range(count)]
    else:
        check(cookie == 12346, f"cookie {cookie} of a bitmap")
        count = cursor.int()
        is_run = [0] * count
    heads = [(cursor.short(), cursor.short() + 1) for _ in range(count)]
    if cookie == 12346 or count >= 4:
        cursor.take(4 * count)
    rows = []
    for (high, cardinality), run in zip(heads, is_run):
        if run:
            low = []
            for _ in range(cursor.short()):
                start, more = cursor.short(), cursor.short()
                low += range(start, start + more + 1)
        elif cardinality <= 4096:
            low = cursor.array("H", cardinality)
        else:
            words = cursor.array("Q", 1024)
            low = [64 * i + bit for i, word in enumerate(words) for bit in range(64) if word >> bit & 1]
        rows += [high << 16 | value for value in low]
    cursor.end()
    return rows


def bitmaps(cursor):
    return [roaring_bitmap(bitmap or b"") for bitmap in generic_indexed(cursor)]
