# SPDX-License-Identifier: Apache-2.0
"""Decoder of LZ4 blocks without a frame."""


def lz4_block(data):
    """The bytes of an LZ4 block without a frame."""
    out = bytearray()
    i = 0

    def length(start):
        nonlocal i
        total = start
        if start == 15:
            while True:
                more = data[i]
                i += 1
                total += more
                if more != 255:
                    break
        return total

    while True:
        token = data[i]
        i += 1
        literals = length(token >> 4)
        out += data[i:i + literals]
        i += literals
        if i >= len(data):
            return bytes(out)
        offset = data[i] | data[i + 1] << 8
        i += 2
        match = length(token & 15) + 4
        copy_match(out, offset, match)


def copy_match(out, offset, length):
    """Appends `length` bytes that begin `offset` bytes before the end, and may overlap what is appended."""
    if not 0 < offset <= len(out):
        raise ValueError(f"offset {offset} of a match, {len(out)} bytes before it")
    start = len(out) - offset
    if offset >= length:
        out += out[start:start + length]
    else:
        pattern = bytes(out[start:])
        out += (pattern * (length // offset + 1))[:length]
