# SPDX-License-Identifier: Apache-2.0
"""What all parts share: a cursor over bytes, bit streams, interleaved packing, sorted positions, CRC-32C."""

import struct


class FormatError(Exception):
    """Bytes that are not as docs/format.md has them."""


def check(condition, message):
    if not condition:
        raise FormatError(message)


class Cursor:
    """Reads bytes from front to back. Numbers of several bytes are in the byte order "little" or "big"."""

    def __init__(self, data, order="little"):
        self.data = data
        self.order = order
        self.prefix = "<" if order == "little" else ">"
        self.position = 0

    def take(self, size):
        check(0 <= size <= self.left(), f"{size} bytes wanted at {self.position}, {self.left()} left")
        self.position += size
        return self.data[self.position - size:self.position]

    def left(self):
        return len(self.data) - self.position

    def rest(self):
        return self.take(self.left())

    def end(self):
        check(self.left() == 0, f"{self.left()} bytes left at {self.position}")

    def byte(self):
        return self.take(1)[0]

    def array(self, code, count):
        """Numbers of a struct code: H shorts, i ints, I unsigned ints, q longs, Q unsigned longs."""
        layout = f"{self.prefix}{count}{code}"
        return list(struct.unpack(layout, self.take(struct.calcsize(layout))))

    def short(self):
        return self.array("H", 1)[0]

    def int(self):
        return self.array("i", 1)[0]

    def long(self):
        return self.array("q", 1)[0]

    def vbyte(self):
        """Druid's VByte: seven bits a byte, the lowest first; the last byte has its highest bit set."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte & 128:
                return value
            shift += 7

    def varint(self):
        """The same with the highest bit set in all bytes but the last, as in chained buckets and structures."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            if not byte & 128:
                return value
            shift += 7

    def bit_stream(self, count, width):
        return bit_stream(self.take(up(count * width, 8)), count, width, self.order)

    def zeros(self, count):
        check(not any(self.take(count)), f"{count} zero bytes wanted before {self.position}")


def up(value, divisor):
    """Quotient, rounded up."""
    return -(-value // divisor)


def width_of(value):
    """The number of bits that a value has; 0 has none."""
    return value.bit_length()


def mod32(value):
    return value & 0xFFFFFFFF


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def bit_stream(data, count, width, order):
    """Values one behind the other. Eight of them fill `width` bytes, so eight are read at a time."""
    if width == 0:
        return [0] * count
    mask = (1 << width) - 1
    shifts = range(0, 8 * width, width) if order == "little" else range(7 * width, -1, -width)
    padded = bytes(data).ljust(up(len(data), width) * width, b"\0")
    values = []
    for start in range(0, len(data), width):
        bits = int.from_bytes(padded[start:start + width], order)
        values += [bits >> shift & mask for shift in shifts]
    return values[:count]


class LowBits:
    """Reads bits from the lowest of the first byte, in both byte orders."""

    def __init__(self, data, position=0):
        self.bits = int.from_bytes(data, "little")
        self.position = position

    def read(self, width):
        value = self.bits >> self.position & ((1 << width) - 1)
        self.position += width
        return value

    def unary(self, bit):
        """The number of bits before the next that is `bit`, which is passed over."""
        count = 0
        while self.read(1) != bit:
            count += 1
        return count


def is_power_of_two(n):
    return n & (n - 1) == 0


def lanes_of_32(n):
    if is_power_of_two(n) and n >= 1024:
        return min(n // 32, 512)
    return 16


def lanes_of_64(n, width):
    if is_power_of_two(n) and n >= 1024:
        lanes = n // 64
        while width % 2 == 0 and lanes < 512:
            lanes *= 2
            width //= 2
        return min(lanes, 512)
    lanes = 1
    while lanes < 16 and 64 * 2 * lanes <= n:
        lanes *= 2
    return lanes


def word_bits(width):
    """Bits of the words in which ints are packed: a width has 64 added for words of 64 bits."""
    if width & 64:
        return 64
    return 32


def interleaved(cursor, n, width, word_bits=32, lanes=None):
    """n values of `width` bits in lanes of words."""
    if lanes is None:
        lanes = lanes_of_32(n) if word_bits == 32 else lanes_of_64(n, width)
    rows = up(n, lanes)
    words_per_lane = up(rows * width, word_bits)
    words = cursor.array("I" if word_bits == 32 else "Q", words_per_lane * lanes)
    values = [0] * (rows * lanes)
    if width:
        mask = (1 << width) - 1
        code = "I" if word_bits == 32 else "Q"
        for lane in range(lanes):
            own = words[lane::lanes]
            bits = int.from_bytes(struct.pack(f"<{words_per_lane}{code}", *own), "little")
            values[lane::lanes] = [bits >> shift & mask for shift in range(0, rows * width, width)]
    return values[:n]


def sorted_positions(cursor, layout, count, n):
    """`count` ascending positions among n values."""
    segments = up(n, 256)
    if layout == 0:
        return cursor.array("H", count)
    index = cursor.array("H", segments)
    if layout == 1:
        low = cursor.take(count)
        ends = index[1:] + [count]
        return [segment * 256 + low[i]
                for segment in range(segments) for i in range(index[segment], ends[segment])]
    check(layout == 2, f"layout {layout} of positions")
    longs = cursor.array("Q", 4 * segments)
    positions = [64 * word + bit for word, bits in enumerate(longs) for bit in range(64) if bits >> bit & 1]
    check(len(positions) == count, f"{count} positions wanted, {len(positions)} found")
    check(index == [sum(p < 256 * s for p in positions) for s in range(segments)], "index of positions")
    return positions


def _crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_CRC = _crc_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _CRC[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF
