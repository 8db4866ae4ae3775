# SPDX-License-Identifier: Apache-2.0
"""Tables in CSV and Markdown, and the means in them."""

import csv
import math

# A column that is larger by so much as plain binary counts as this in a mean: constants do not decide it.
MAX_RATIO = 1000


def read_csv(file):
    """Rows as dicts of strings."""
    with open(file, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def markdown(header, rows):
    align = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [header, align, *rows])


def mean_ratio(plain_and_bytes):
    """Geometric mean of the ratios of plain binary to bytes."""
    return geometric_mean([min(MAX_RATIO, plain / max(size, 1)) for plain, size in plain_and_bytes])


def geometric_mean(numbers):
    logs = [math.log(number) for number in numbers]
    return math.exp(math.fsum(logs) / len(logs))
