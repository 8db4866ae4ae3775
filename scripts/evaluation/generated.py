# SPDX-License-Identifier: Apache-2.0
"""Small tables for --quick and for tests: the same in each run, with what columns are made of."""

import bz2
import csv
import gzip
import io
import json
import math
import random

ROWS = 20_000
WORDS = ["", "Köln", "São Paulo", "東京", "New York", 'a "quoted", text', "two\nlines", "naïve", "x" * 300, "🦉"]


def write_tables(directory, rows=ROWS):
    """Writes files of each kind that the evaluation reads: CSV, JSON lines, and one of the Public BI benchmark."""
    directory.mkdir(parents=True, exist_ok=True)
    write_events(directory, rows)
    write_metrics(directory, rows)
    write_orders(directory, rows)


def write_events(directory, rows):
    chance = random.Random(48).random
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["when", "city", "page", "constant", "added", "large", "price", "measure", "special"])
    special = ["NaN", "-0.0", "0.0", "Infinity", "-Infinity", "1e-300", "4.9e-324", "1.7976931348623157e308", ""]
    for i in range(rows):
        writer.writerow([
            1_700_000_000_000 + i * 250 + int(chance() * 200),
            "" if chance() < .1 else f"city {int(chance() ** 3 * 200)}",
            f"/page/{int(chance() * rows)}/{WORDS[int(chance() * len(WORDS))]}",
            "one",
            "" if chance() < .05 else int(chance() ** 4 * 5000) - 20,
            int(chance() * (1 << 62)),
            f"{int(chance() * 10000) / 100:.2f}",
            math.sin(i / 50) + chance() / 100,
            special[int(chance() * len(special))],
        ])
    (directory / "events.csv.gz").write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))
    options = {"timestamp": "when", "types": {"special": "double"}}
    (directory / "events.options.json").write_text(json.dumps(options))


def write_metrics(directory, rows):
    chance = random.Random(49).random
    lines = []
    for i in range(rows):
        row = {"timestamp": f"2026-01-{1 + i * 28 // rows:02}T{i % 24:02}:00:00Z", "host": f"host-{int(chance() * 40)}",
               "up": chance() < .999, "load": round(chance() * 8, 2), "tags": {"not": "a column"}}
        if chance() < .5:
            row["note"] = WORDS[int(chance() * len(WORDS))]
        if chance() < .01:
            row["rare"] = int(chance() * 1000)
        lines.append(json.dumps(row))
    (directory / "metrics.json").write_text("\n".join(lines), encoding="utf-8")
    (directory / "metrics.options.json").write_text(json.dumps({"leaveOut": ["tags"]}))


def write_orders(directory, rows):
    chance = random.Random(50).random
    lines = []
    for i in range(rows):
        word = WORDS[int(chance() * len(WORDS))].replace("\n", " ")
        lines.append("|".join(["1", str(i // 4), "null" if chance() < .2 else word,
                               f"2026-0{1 + int(chance() * 9)}-15", f"{chance() * 1000:.6g}",
                               "null" if chance() < .3 else str(chance())]) + "\n")
    (directory / "orders.csv.bz2").write_bytes(bz2.compress("".join(lines).encode()))
    (directory / "orders.table.sql").write_text(
        'CREATE TABLE "orders_1"(\n  "Number of Records" smallint NOT NULL,\n  "order" integer NOT NULL,\n'
        '  "the text" varchar(300),\n  "day" date NOT NULL,\n  "total" decimal(18, 6),\n  "ratio" double\n);\n')
