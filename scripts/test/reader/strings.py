# SPDX-License-Identifier: Apache-2.0
"""Dictionaries of strings and their text indexes."""

from .bits import Cursor, FormatError, LowBits, check, up, width_of
from .zstd import Decoder

KEYS_EVERY = 64
LISTS_IN_BLOCK = 8


class Front:
    """Front-coded buckets of 8 texts."""
    bucket_size = 8
    has_keys = True
    has_separators = False
    bucket_bits = None

    def part(self, data):
        """The text that a part stands for which is no head."""
        return data

    def bucket(self, data, size):
        cursor = Cursor(data)
        end_width, prefix_width = cursor.byte() & 127, cursor.byte()
        bits = LowBits(cursor.take(up(size * end_width + (size - 1) * prefix_width, 8)))
        ends = [bits.read(end_width) for _ in range(size)]
        prefixes = [bits.read(prefix_width) for _ in range(size - 1)]
        head = cursor.take(ends[0])
        texts = [head]
        for start, end, prefix in zip(ends, ends[1:], prefixes):
            texts.append(head[:prefix] + self.part(cursor.take(end - start)))
        cursor.end()
        check(data[0] < 128 or all(max(text, default=0) < 128 for text in texts), "a bucket that is not ASCII")
        return texts


class FrontSuffixSymbols(Front):
    """Front-coded buckets of 16 texts, of which all parts but the heads are codes of symbols."""
    bucket_size = 16

    def __init__(self, cursor):
        lengths = cursor.take(cursor.byte())
        self.symbols = [cursor.take(length) for length in lengths]

    def part(self, data):
        text = b""
        codes = iter(data)
        for code in codes:
            text += bytes([next(codes)]) if code == 255 else self.symbols[code]
        return text


class Chained:
    """Buckets of 16 texts, each with the prefix that it shares with the one before."""
    bucket_size = 16
    has_keys = has_separators = False
    bucket_bits = None

    def bucket(self, data, size):
        cursor = Cursor(data)
        texts = []
        for i in range(size):
            prefix = cursor.varint() if i else 0
            length = cursor.varint()
            texts.append((texts[-1][:prefix] if i else b"") + cursor.take(length))
        cursor.end()
        return texts


class Pattern:
    """ASCII texts of one length as numbers."""
    bucket_size = 8
    has_keys = True
    has_separators = False

    def __init__(self, cursor):
        length = cursor.byte() + 1
        self.characters = []
        while len(self.characters) < length:
            positions = cursor.byte() + 1
            characters = []
            for _ in range(cursor.byte()):
                first, last = cursor.byte(), cursor.byte()
                characters += range(first, last + 1)
            self.characters += [characters] * positions
        self.groups = self.find_groups()
        self.bucket_bits = sum(width_of(combinations - 1) for _, combinations in self.groups)

    def find_groups(self):
        """Positions and number of combinations of each group, from the first on."""
        groups = []
        for position in reversed(range(len(self.characters))):
            count = len(self.characters[position])
            if count == 1:
                continue
            positions, combinations = groups[0] if groups else ([], 1)
            if positions and positions[-1] - position < 8 and combinations * count <= 2048:
                groups[0] = [position] + positions, combinations * count
            else:
                groups.insert(0, ([position], count))
        return groups

    def bucket(self, data, size):
        bits = LowBits(data)
        texts = []
        for _ in range(size):
            text = [characters[0] for characters in self.characters]
            for positions, combinations in self.groups:
                number = bits.read(width_of(combinations - 1))
                for position in reversed(positions):
                    characters = self.characters[position]
                    number, place = divmod(number, len(characters))
                    text[position] = characters[place]
            texts.append(bytes(text))
        return texts


class Blocks:
    """Blocks of texts that Zstandard compresses, perhaps with a dictionary."""
    has_keys = False
    has_separators = True
    bucket_bits = None

    def __init__(self, cursor):
        self.bucket_size = 1 << cursor.byte()
        self.dictionary = cursor.take(cursor.vbyte())

    def bucket(self, data, size):
        cursor = Cursor(data)
        bytes_before = cursor.varint()
        if bytes_before == 0:
            return Chained().bucket(cursor.rest(), size)
        decoder = Decoder(self.dictionary)
        frame = cursor.rest()
        if bytes_before <= 131072:
            decoder.block(frame)
        else:
            check(decoder.blocks(frame, 0) == len(frame), "bytes behind a frame")
        block = Cursor(decoder.result())
        check(len(block.data) == bytes_before, f"{len(block.data)} bytes of a block, not {bytes_before}")
        heads = [(block.varint(), block.varint()) for _ in range(size)]
        text = b""
        texts = []
        for prefix, length in heads:
            text = text[:prefix] + block.take(length)
            texts.append(text)
        block.end()
        return texts


class Named:
    """An encoding of another jar, which alone can read its texts."""
    bucket_bits = None

    def __init__(self, cursor):
        self.name = cursor.take(cursor.byte()).decode("ascii")
        size = cursor.byte()
        self.bucket_size = 1 << (size & 127)
        self.has_separators = size >= 128
        self.has_keys = not self.has_separators
        self.model = cursor.take(cursor.vbyte())

    def bucket(self, data, size):
        raise FormatError(f"texts are in the encoding {self.name}")


CODINGS = {
    0: lambda cursor: Front(), 1: FrontSuffixSymbols, 2: lambda cursor: Chained(), 3: Pattern, 4: Blocks, 64: Named,
}


def string_dictionary(cursor):
    """The texts of a dictionary, perhaps behind null. Leaves the cursor behind it."""
    texts, has_null = texts_of_dictionary(cursor)
    strings = [text.decode("utf-8") for text in texts]
    units = [text.encode("utf-16-be") for text in strings]
    check(all(a < b for a, b in zip(units, units[1:])), "texts are out of Java's order")
    return [None] * has_null + strings


def texts_of_dictionary(cursor):
    """The bytes of the texts, and whether null is before them."""
    version, id, flags = cursor.byte(), cursor.byte(), cursor.byte()
    check(version == 1, f"version {version} of a dictionary of strings")
    num_texts, data_bytes, largest_bucket, common_prefix = (cursor.vbyte() for _ in range(4))
    if id not in CODINGS:
        raise FormatError(f"coding {id} of texts")
    coding = CODINGS[id](cursor)
    separator_bytes = cursor.vbyte() if coding.has_separators else 0
    text_index_bytes = cursor.vbyte() if flags & 2 else 0
    keys = cursor.array("q", up(num_texts, KEYS_EVERY)) if coding.has_keys else None
    separators = texts_of_dictionary(Cursor(cursor.take(separator_bytes)))[0] if coding.has_separators else None
    num_buckets = up(num_texts, coding.bucket_size)
    if coding.bucket_bits is None:
        starts = cursor.bit_stream(num_buckets, width_of(data_bytes))
    else:
        size = up(coding.bucket_size * coding.bucket_bits, 8)
        starts = list(range(0, num_buckets * size, size))
    data = cursor.take(data_bytes)
    cursor.zeros(8)
    texts = []
    for start, end in zip(starts, starts[1:] + [data_bytes]):
        check(end - start <= largest_bucket, "a bucket larger than the largest")
        texts += coding.bucket(data[start:end], min(coding.bucket_size, num_texts - len(texts)))
    check(len({text[:common_prefix] for text in texts}) <= 1, "common prefix")
    if keys is not None:
        check(keys == [key(text[common_prefix:]) for text in texts[::KEYS_EVERY]], "keys")
    if separators is not None:
        firsts = range(coding.bucket_size, num_texts, coding.bucket_size)
        check(separators == [separator(texts[i - 1], texts[i]) for i in firsts], "separators")
    if flags & 2:
        text_index(Cursor(cursor.take(text_index_bytes)), texts)
    return texts, flags & 1


def key(text):
    """The eight bytes of a text that are compared first, as a long."""
    swapped = text[:8].ljust(8, b"\0").translate(bytes.maketrans(b"\xee\xef", b"\xf5\xf6"))
    return int.from_bytes(swapped, "big") - (1 << 63)


def separator(before, text):
    """What a text has in common with the one before, and one byte more."""
    return text[:next(i for i in range(len(text)) if text[i:i + 1] != before[i:i + 1]) + 1]


FOLDED = str.maketrans(
    {**{chr(c): chr(c + 32) for c in range(65, 91)}, "\u0130": "i", "\u0131": "i", "\u017f": "s", "\u212a": "k"})


def slots(text, log_slots):
    """Slots of the trigrams of a text or a part of one."""
    folded = text.translate(FOLDED).encode("utf-8")
    return {(int.from_bytes(folded[i:i + 3], "big") * 0x9E3779B1 & 0xFFFFFFFF) >> 32 - log_slots
            for i in range(len(folded) - 2)}


def text_index(cursor, texts):
    """Reads the text index of a dictionary, and checks that it has the groups of all trigrams."""
    log_group, log_slots, block_bytes = cursor.byte(), cursor.byte(), cursor.int()
    check(8 <= log_slots <= 16, f"logarithm {log_slots} of slots")
    num_groups = up(len(texts), 1 << log_group)
    expected = [[] for _ in range(1 << log_slots)]
    for group in range(num_groups):
        own = set()
        for text in texts[group << log_group:group + 1 << log_group]:
            own |= slots(text.decode("utf-8"), log_slots)
        for slot in own:
            expected[slot].append(group)
    starts = cursor.bit_stream(len(expected) // LISTS_IN_BLOCK, width_of(block_bytes))
    blocks = cursor.take(block_bytes)
    cursor.zeros(8)
    cursor.end()
    slot = 0
    for start, end in zip(starts, starts[1:] + [block_bytes]):
        for groups in lists_of_block(blocks[start:end], num_groups):
            check(groups == expected[slot] if groups is not None else expected[slot], f"slot {slot} of a text index")
            slot += 1


def lists_of_block(block, num_groups):
    """The groups of each slot of a block, None for a frequent one."""
    bits = LowBits(block)
    sizes = [gamma(bits) for _ in range(LISTS_IN_BLOCK)]
    bits.position = 8 * up(bits.position, 8)
    lists = []
    for size in sizes:
        end = bits.position + max(size - 2, 0)
        lists.append(
            [] if size == 1 else None if size == 2 else interpolation(bits, gamma(bits), 0, num_groups - 1))
        check(bits.position == end, f"{size - 2} bits of a list")
    check(up(bits.position, 8) == len(block), "bytes of a block of a text index")
    return lists


def gamma(bits):
    """A number above 0 in a gamma code."""
    width = bits.unary(1)
    return 1 << width | bits.read(width)


def interpolation(bits, count, first, last):
    """Ascending numbers from the first to the last."""
    if count in (0, last - first + 1):
        return list(range(first, first + count))
    middle = count // 2
    number = first + middle + truncated(bits, last - first + 2 - count)
    return [*interpolation(bits, middle, first, number - 1), number,
            *interpolation(bits, count - middle - 1, number + 1, last)]


def truncated(bits, numbers):
    """One of so many numbers in a truncated binary code."""
    width = width_of(numbers - 1)
    shorter = (1 << width) - numbers
    number = bits.read(width - 1)
    return number if number < shorter else 2 * number + bits.read(1) - shorter
