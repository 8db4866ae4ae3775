#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Runs read_segment.py on segments, and tells which of the reader's lines none of them reached. The reader has lines of
their own for all layouts, so PythonReaderTest finds what golden segments lack.

Usage: reached.py FILE SEGMENT.... Prints a line for each segment, and writes a JSON list of texts "module: line" to the
file. Of functions that were not called it has the first line alone, and no lines that raise errors. LZ4 and Zstandard
have layouts of their own, and are left out.
"""

import dis
import json
import linecache
import pathlib
import sys
import types

READER = str(pathlib.Path(__file__).resolve().parent / "reader")
LEFT_OUT = ("lz4.py", "zstd.py")


def text(file, line):
    return linecache.getline(file, line).strip()


def lines(code):
    """Numbers of a function's lines."""
    found = {line for _, line in dis.findlinestarts(code) if line} - {code.co_firstlineno}
    return {line for line in found if not text(code.co_filename, line).startswith("raise ")}


class Tracer:
    """Lines of each function that were not reached, by its module, name and first line."""

    def __init__(self):
        self.left = {}
        # What traces each function, by the identity of its code: a function without further lines costs little.
        self.traced = {}
        self.codes = []

    @staticmethod
    def key(code):
        return code.co_filename, code.co_name, code.co_firstlineno

    def __call__(self, frame, event, arg):
        code = frame.f_code
        try:
            return self.traced[id(code)]
        except KeyError:
            each = self.traced[id(code)] = self.start(code)
            return each

    def start(self, code):
        """What traces the lines of a function; None for those of other modules."""
        # The identity is that of no other code as long as this one is kept.
        self.codes.append(code)
        if not code.co_filename.startswith(READER) or pathlib.Path(code.co_filename).name in LEFT_OUT:
            return None
        left = self.left.setdefault(self.key(code), lines(code))

        def each(frame, event, arg):
            if event == "line":
                left.discard(frame.f_lineno)
                if not left:
                    self.traced[id(code)] = None
                    return None
            return each
        return each

    def unreached(self, code):
        """Lines of a function and those within it that were not reached."""
        left = self.left.get(self.key(code))
        if left is None:
            return {code.co_firstlineno} if lines(code) else set()
        return left.union(*(self.unreached(inner) for inner in code.co_consts if isinstance(inner, types.CodeType)))


def main():
    out, *segments = sys.argv[1:]
    tracer = Tracer()
    sys.settrace(tracer)
    import read_segment
    for segment in segments:
        sys.argv[1:] = [segment]
        read_segment.main()
        print()
    sys.settrace(None)
    found = []
    for module in sorted(pathlib.Path(READER).glob("*.py")):
        if module.name not in LEFT_OUT:
            code = compile(module.read_text(encoding="utf-8"), str(module), "exec")
            found += [f"{module.name}: {text(str(module), line)}" for line in sorted(tracer.unreached(code))]
    pathlib.Path(out).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
