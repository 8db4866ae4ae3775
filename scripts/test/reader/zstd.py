# SPDX-License-Identifier: Apache-2.0
"""
Decoder of Zstandard (RFC 8878), which Python has only from 3.14 on. Checksums of frames are not checked; the frames of
our segments have none.
"""

from .lz4 import copy_match

MAGIC = b"\x28\xb5\x2f\xfd"
DICTIONARY_MAGIC = b"\x37\xa4\x30\xec"


class Codes:
    """Codes of lengths of literals, of matches, or of offsets: least value and extra bits of each."""

    def __init__(self, first, extra, max_log, default_log, default):
        self.values = []
        for bits in extra:
            self.values.append((first, bits))
            first += 1 << bits
        self.max_log = max_log
        self.default = fse_table(default, default_log)


class Backwards:
    """Bits from the last one to the first. The highest set bit of the last byte is a mark."""

    def __init__(self, data):
        self.bits = int.from_bytes(data, "little")
        self.left = self.bits.bit_length() - 1

    def read(self, width):
        self.left -= width
        return self.peek(width, self.left)

    def peek(self, width, position):
        """Bits from a position on; those below the first one are 0."""
        bits = self.bits >> position if position >= 0 else self.bits << -position
        return bits & (1 << width) - 1


def fse_probabilities(data, position, max_log):
    """Probabilities of symbols, logarithm of their sum, and the position behind them. -1 is less than one."""
    bits = int.from_bytes(data[position:position + 512], "little")
    used = 4
    log = (bits & 15) + 5
    if log > max_log:
        raise ValueError(f"accuracy {log} above {max_log}")
    remaining = 1 << log
    found = []
    while remaining > 0:
        width = (remaining + 1).bit_length()
        value = bits >> used & (1 << width) - 1
        low = value & (1 << width - 1) - 1
        threshold = (1 << width) - 1 - (remaining + 1)
        if low < threshold:
            value = low
            used += width - 1
        else:
            used += width
            if value >= 1 << width - 1:
                value -= threshold
        found.append(value - 1)
        remaining -= abs(value - 1)
        while found[-1] == 0:
            zeros = bits >> used & 3
            used += 2
            found += [0] * zeros
            if zeros < 3:
                break
    return found, log, position + (used + 7) // 8


def fse_table(probabilities, log):
    """For each state its symbol, the bits that the next state takes, and the least next state."""
    size = 1 << log
    symbols = [0] * size
    high = size
    for symbol, probability in enumerate(probabilities):
        if probability == -1:
            high -= 1
            symbols[high] = symbol
    place = 0
    for symbol, probability in enumerate(probabilities):
        for _ in range(max(probability, 0)):
            symbols[place] = symbol
            while True:
                place = place + (size >> 1) + (size >> 3) + 3 & size - 1
                if place < high:
                    break
    following = [abs(probability) for probability in probabilities]
    table = []
    for symbol in symbols:
        x = following[symbol]
        following[symbol] += 1
        bits = log - x.bit_length() + 1
        table.append((symbol, bits, (x << bits) - size))
    return table, log


LITERALS = Codes(0, [0] * 16 + [1] * 4 + [2, 2, 3, 3, 4, 6] + list(range(7, 17)), 9, 6,
                 [4, 3] + [2] * 11 + [1] * 3 + [2] * 9 + [3, 2] + [1] * 5 + [-1] * 4)
MATCHES = Codes(3, [0] * 32 + [1] * 4 + [2, 2, 3, 3, 4, 4, 5] + list(range(7, 17)), 9, 6,
                [1, 4, 3] + [2] * 6 + [1] * 37 + [-1] * 7)
OFFSETS = Codes(1, range(32), 8, 5, [1] * 6 + [2] * 3 + [1] * 15 + [-1] * 5)


def huffman_table(data, position):
    """For the next bits, as many as the longest code has, symbol and length; and the position behind the weights."""
    head = data[position]
    position += 1
    if head >= 128:
        end = position + (head - 126) // 2
        weights = [nibble for byte in data[position:end] for nibble in (byte >> 4, byte & 15)][:head - 127]
    else:
        end = position + head
        weights = huffman_weights(data, position, end)
    total = sum(1 << weight - 1 for weight in weights if weight)
    longest = total.bit_length()
    weights.append(((1 << longest) - total).bit_length())
    table = []
    for weight in range(1, longest + 1):
        for symbol, own in enumerate(weights):
            if own == weight:
                table += [(symbol, longest + 1 - weight)] * (1 << weight - 1)
    return (table, longest), end


def huffman_weights(data, position, end):
    """Weights in the code of two states that take turns."""
    probabilities, log, position = fse_probabilities(data, position, 6)
    table, log = fse_table(probabilities, log)
    bits = Backwards(data[position:end])
    states = [bits.read(log), bits.read(log)]
    weights = []
    turn = 0
    while True:
        symbol, width, base = table[states[turn]]
        weights.append(symbol)
        if bits.left < width:
            weights.append(table[states[1 - turn]][0])
            return weights
        states[turn] = base + bits.read(width)
        turn = 1 - turn


def huffman_stream(data, count, huffman):
    table, longest = huffman
    bits = Backwards(data)
    whole, left = bits.bits << longest, bits.left
    mask = (1 << longest) - 1
    out = bytearray()
    for _ in range(count):
        symbol, width = table[whole >> left & mask]
        left -= width
        out.append(symbol)
    if left != 0:
        raise ValueError(f"{left} bits left of literals")
    return out


class Decoder:
    """What lasts from block to block: output, tables, and the last offsets."""

    def __init__(self, dictionary=b""):
        self.huffman = None
        self.tables = [None, None, None]
        self.offsets = [1, 4, 8]
        if dictionary[:4] == DICTIONARY_MAGIC:
            self.huffman, position = huffman_table(dictionary, 8)
            for which, codes in (1, OFFSETS), (2, MATCHES), (0, LITERALS):
                probabilities, log, position = fse_probabilities(dictionary, position, codes.max_log)
                self.tables[which] = fse_table(probabilities, log)
            self.offsets = [int.from_bytes(dictionary[i:i + 4], "little") for i in range(position, position + 12, 4)]
            dictionary = dictionary[position + 12:]
        self.out = bytearray(dictionary)
        self.start = len(dictionary)

    def result(self):
        return bytes(self.out[self.start:])

    def blocks(self, data, position):
        """All blocks from a position on; returns that behind the last one."""
        while True:
            head = int.from_bytes(data[position:position + 3], "little")
            position += 3
            kind, size = head >> 1 & 3, head >> 3
            if kind == 0:
                self.out += data[position:position + size]
                position += size
            elif kind == 1:
                self.out += data[position:position + 1] * size
                position += 1
            elif kind == 2:
                self.block(data[position:position + size])
                position += size
            else:
                raise ValueError("a reserved kind of block")
            if head & 1:
                return position

    def block(self, data):
        """One compressed block, without its header."""
        literals, position = self.literals(data)
        count = data[position]
        position += 1
        if count == 255:
            count = int.from_bytes(data[position:position + 2], "little") + 0x7F00
            position += 2
        elif count >= 128:
            count = (count - 128 << 8) + data[position]
            position += 1
        if count == 0:
            self.out += literals
            return
        modes = data[position]
        position += 1
        for which, codes in enumerate((LITERALS, OFFSETS, MATCHES)):
            mode = modes >> 6 - 2 * which & 3
            if mode == 0:
                self.tables[which] = codes.default
            elif mode == 1:
                self.tables[which] = [(data[position], 0, 0)], 0
                position += 1
            elif mode == 2:
                probabilities, log, position = fse_probabilities(data, position, codes.max_log)
                self.tables[which] = fse_table(probabilities, log)
        self.sequences(Backwards(data[position:]), count, literals)

    def literals(self, data):
        """The literals of a block, and the position behind them."""
        kind, size_format = data[0] & 3, data[0] >> 2 & 3
        if kind < 2:
            head, shift = (1, 3) if size_format in (0, 2) else (2, 4) if size_format == 1 else (3, 4)
            size = int.from_bytes(data[:head], "little") >> shift
            if kind == 0:
                return data[head:head + size], head + size
            return data[head:head + 1] * size, head + 1
        head, width = [(3, 10), (3, 10), (4, 14), (5, 18)][size_format]
        sizes = int.from_bytes(data[:head], "little") >> 4
        size, compressed = sizes & (1 << width) - 1, sizes >> width
        position, end = head, head + compressed
        if kind == 2:
            self.huffman, position = huffman_table(data, position)
        if size_format == 0:
            return huffman_stream(data[position:end], size, self.huffman), end
        ends = [int.from_bytes(data[position + i:position + i + 2], "little") for i in (0, 2, 4)]
        position += 6
        out = bytearray()
        for i in range(4):
            stop = position + ends[i] if i < 3 else end
            count = (size + 3) // 4 if i < 3 else size - 3 * ((size + 3) // 4)
            out += huffman_stream(data[position:stop], count, self.huffman)
            position = stop
        return out, end

    def sequences(self, bits, count, literals):
        states = [bits.read(log) for _, log in self.tables]
        used = 0
        for i in range(count):
            code = [table[state] for (table, _), state in zip(self.tables, states)]
            offset = (1 << code[1][0]) + bits.read(code[1][0])
            least, extra = MATCHES.values[code[2][0]]
            match = least + bits.read(extra)
            least, extra = LITERALS.values[code[0][0]]
            length = least + bits.read(extra)
            if i < count - 1:
                for which in (0, 2, 1):
                    _, width, base = code[which]
                    states[which] = base + bits.read(width)
            self.out += literals[used:used + length]
            used += length
            copy_match(self.out, self.offset(offset, length == 0), match)
        if bits.left != 0:
            raise ValueError(f"{bits.left} bits left of sequences")
        self.out += literals[used:]

    def offset(self, value, no_literals):
        """The offset that a value stands for: 1 to 3 are the last ones."""
        last = self.offsets
        place = value - 1 + no_literals
        if value > 3:
            offset, place = value - 3, 2
        elif place == 3:
            offset, place = last[0] - 1, 2
        else:
            offset = last[place]
        self.offsets = [offset] + last[:place] + last[place + 1:]
        return offset


def zstd_frame(data, dictionary=b""):
    """What one frame, which takes all the bytes, stands for."""
    if data[:4] != MAGIC:
        raise ValueError("no frame of Zstandard")
    flags = data[4]
    single = flags >> 5 & 1
    position = 5 + (1 - single) + (0, 1, 2, 4)[flags & 3]
    size_of_size = (single, 2, 4, 8)[flags >> 6]
    size = int.from_bytes(data[position:position + size_of_size], "little") + (256 if size_of_size == 2 else 0)
    decoder = Decoder(dictionary)
    position = decoder.blocks(data, position + size_of_size) + (4 if flags & 4 else 0)
    result = decoder.result()
    if position != len(data) or size_of_size and len(result) != size:
        raise ValueError(f"a frame of {position} bytes, not {len(data)}, or {len(result)} bytes, not {size}")
    return result
