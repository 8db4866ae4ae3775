# SPDX-License-Identifier: Apache-2.0
"""Part scan-cost: time and price of a scan of whole tables from object storage, by calculation."""

import argparse

import decode_speed
import ratio
from text import markdown

NAME = "scan-cost"
QUESTION = "What does a scan from object storage cost?"
NEEDS = (ratio.NAME,)
COLUMNS = {
    "table": "name of the table; empty: all of them",
    "format": "format and setting",
    "plainBytes": "bytes as plain binary",
    "bytes": "bytes that are fetched",
    "gigabits": "bandwidth in 10^9 bits a second",
    "networkSeconds": "time to fetch the bytes",
    "decodeSeconds": "time to decode them on all cores; empty: not measured",
    "seconds": "the longer of both, as one goes on while the other does",
    "bound": "`network` or `processor`, whichever takes longer; `network?` where decoding was not measured",
    "dollars": "price of the machine for that time, and of the requests",
}


def add_options(parser):
    group = parser.add_argument_group("scan-cost", "What is assumed of the machine and of the storage.")
    group.add_argument("--gigabits", type=numbers, default=[1, 10, 100], metavar="N,...",
                       help="bandwidths to the storage in 10^9 bits a second (default: 1,10,100)")
    group.add_argument("--cores", type=positive, default=36, metavar="N", help="cores that decode (default: 36)")
    group.add_argument("--dollars-per-hour", type=positive, default=3.89, metavar="N",
                       help="price of the machine (default: 3.89)")
    group.add_argument("--dollars-per-request", type=positive, default=4e-7, metavar="N",
                       help="price of a request (default: 0.0000004)")
    group.add_argument("--request-bytes", type=positive, default=16 << 20, metavar="N",
                       help="bytes that a request fetches, at most (default: 16777216)")


def positive(text):
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is no number above 0")
    return number


def numbers(text):
    return [positive(part) for part in text.split(",")]


def measure(run):
    tables = {}
    for row in run.results(ratio.NAME):
        if row["kind"] == "table":
            for format, size in ratio.variants(row):
                tables.setdefault(format, {})[row["table"]] = int(row["plainBytes"]), size
    decode = decode_seconds(run.results(decode_speed.NAME), run.results(ratio.NAME))
    rows = []
    for format, found in tables.items():
        for table, (plain, size) in found.items():
            rows += scans(run.options, table, format, plain, size, decode.get((format.partition(",")[0], table)))
        times = [decode.get((format.partition(",")[0], table)) for table in found]
        plain, size = (sum(sizes) for sizes in zip(*found.values()))
        rows += scans(run.options, "", format, plain, size, None if None in times else sum(times))
    return rows, text(run.options, rows)


def decode_seconds(measured, columns):
    """Seconds of one core by format and table, of those whose columns have all been measured."""
    seconds = {}
    for row in measured:
        if row["simd"] == "no":
            continue
        seconds.setdefault((row["format"], row["table"]), {})[row["column"]] = float(row["seconds"])
    needed = {}
    for row in columns:
        if row["kind"] != "table":
            needed.setdefault((row["format"], row["table"]), set()).add(row["column"])
    return {key: sum(times.values()) for key, times in seconds.items() if needed.get(key, {""}) <= times.keys()}


def scans(options, table, format, plain, size, decode):
    for gigabits in options.gigabits:
        network = size * 8 / (gigabits * 1e9)
        processor = None if decode is None else decode / options.cores
        seconds = max(network, processor or 0)
        requests = -(-size // options.request_bytes)
        bound = "network?" if processor is None else "processor" if processor > network else "network"
        yield {
            "table": table, "format": format, "plainBytes": plain, "bytes": size, "gigabits": f"{gigabits:g}",
            "networkSeconds": f"{network:.6g}", "decodeSeconds": "" if processor is None else f"{processor:.6g}",
            "seconds": f"{seconds:.6g}", "bound": bound,
            "dollars": f"{seconds * options.dollars_per_hour / 3600 + requests * options.dollars_per_request:.6g}",
        }


def text(options, rows):
    of_all = {}
    for row in rows:
        if row["table"] == "":
            of_all.setdefault(row["format"], []).append(row)
    shown = {format: of_all[format] for format in ratio.shown(ratio.SHOWN, of_all)}
    lines = []
    for format, found in sorted(shown.items(), key=lambda item: item[1][0]["bytes"]):
        last = found[-1]
        lines.append([f"`{format}`", f"{last['bytes']:,}", f"{float(last['seconds']):.4f}", last["bound"],
                      f"{float(last['dollars']) * 1e6:.2f}"])
    return (f"Seconds to fetch and decode all tables once at {options.gigabits[-1]:g} Gbit/s, with {options.cores:g} "
            "cores, and what takes longer; `network?`: the network alone, as decoding was not measured. The last "
            f"column is the price of a million scans, at {options.dollars_per_hour:g} dollars an hour and "
            f"{options.dollars_per_request:g} dollars a request of {options.request_bytes:,.0f} bytes.\n\n"
            + markdown(["format", "bytes", "seconds", "bound", "dollars"], lines))
