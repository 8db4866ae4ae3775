#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Reads shape-shifting segments without the extension: a reader written from docs/format.md alone, in plain Python, so
that the document is known to suffice. The package reader has a module per section of the document. It reads values and
all that is derived from them (indexes, checksums, statistics), and fails where these do not agree.

Usage: read_segment.py SEGMENT, a directory. Prints a JSON object: the values of all rows of each column, by the name of
the column. Columns of projections are called projection/column. The bytes of a complex column are in hex; a nested
object that is stored as SMILE is {"smile": hex}. Left out are columns that are wholly Druid's. Not read are Druid's
front-coded dictionaries, dictionaries in several files, ids, and Concise bitmaps.
"""

import json
import sys

from reader.segment import Segment, check_checksums


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    check_checksums(sys.argv[1])
    segment = Segment(sys.argv[1])
    json.dump({name: segment.read(name) for name in segment.shape_shifting()}, sys.stdout, default=bytes.hex)


if __name__ == "__main__":
    main()
