# SPDX-License-Identifier: Apache-2.0
"""Part rows: rows in memory while they are ingested."""

import druid
from text import geometric_mean, markdown

NAME = "rows"
QUESTION = "How much time and memory do rows take while they are ingested?"
NEEDS = ()
# Of an index that rows are added to.
INDEX_COLUMNS = {
    "rows": "rows of the index; fewer than inputs with roll-up",
    "addNanosPerInput": "processor time to add an input",
    "persistNanosPerRow": "processor time to write a row to a segment",
    "collectionMillisPerRound": "elapsed time of the garbage collector while all inputs are added and persisted",
    "queryMicros": "processor time of a query of all rows",
    "heapBytesPerRow": "bytes on the heap",
    "directBytesPerRow": "bytes of direct memory",
    "accountedBytesPerRow": "bytes that the index says it has, by which tasks persist",
}
# Of a batch task.
TASK_COLUMNS = {
    "maxBytesInMemory": "as in the tuningConfig: `0` persists at the index's default, `-1` keeps all rows in memory",
    "heapMegabytes": "heap",
    "directMegabytes": "direct memory that the task may take",
    "outcome": "`done`, `out of memory`, or `slower than` a limit",
    "seconds": "elapsed time; empty: not done",
    "collectionMillis": "elapsed time of the garbage collector",
    "persists": "times that the index was persisted; once at the end",
    "segmentBytes": "bytes of the segment that is pushed",
}
COLUMNS = {
    "kind": "`index`: an index alone; `task`: a batch task",
    "data": "what is ingested",
    "rollUp": "whether rows with the same dimensions and time are one",
    "index": "`druid`: Druid's on the heap; `shapeshift`: ours",
    "inputs": "rows that are ingested",
    **INDEX_COLUMNS,
    **TASK_COLUMNS,
}
INDEXES = {"onheap": "druid", "shapeshift": "shapeshift"}
DATA = ["WIDE", "CARDINALITY", "METRICS", "SKETCHES", "WIKITICKER"]
TASK_DATA = ["WIDE", "WIKITICKER"]
HEAPS = [64, 128, 256, 512, 1024]
DIRECT = 256
LIMITS = {"-1": "all in memory", "0": "default"}


def measure(run):
    quick = run.options.quick
    data, inputs = (["WIDE"], 2000) if quick else (DATA, 50_000)
    run.progress("rows of an index in memory")
    found = druid.benchmark(run.work, "ingestion", "--only", "TIMES,MEMORY", "--data", ",".join(data),
                            "--rows", f"{inputs}", "--rounds", "1")
    memory = {key(row): row for row in found["ingestion-memory"]}
    rows = [chosen("index", INDEX_COLUMNS, {**memory[key(row)], **row}) for row in found["ingestion-times"]]
    data, inputs, heaps, limits = (["WIDE"], 5000, [128], ["-1"]) if quick else (TASK_DATA, 1_000_000, HEAPS, LIMITS)
    for limit in limits:
        run.progress(f"batch tasks, maxBytesInMemory {limit}")
        rows += [chosen("task", TASK_COLUMNS, {**row, "directMegabytes": DIRECT}) for row in druid.benchmark(
            run.work, "ingestion", "--only", "HEAP", "--data", ",".join(data), "--task-rows", f"{inputs}",
            "--max-rows-in-memory", f"{inputs + 1}", "--max-bytes-in-memory", limit,
            "--heaps", ",".join(map(str, heaps)), "--max-direct", f"{DIRECT}m", "--max-seconds", "60")["ingestion-heap"]]
    return rows, text(rows)


def key(row):
    return row["data"], row["rollUp"], row["index"]


def chosen(kind, columns, row):
    return {"kind": kind, **{column: row[column] for column in ["data", "rollUp", "inputs", *columns]},
            "index": INDEXES[row["index"]]}


def text(rows):
    indexes = pairs([row for row in rows if row["kind"] == "index"], ["data", "rollUp"])
    tasks = pairs([row for row in rows if row["kind"] == "task"], ["data", "maxBytesInMemory", "heapMegabytes"])
    heaps = list(dict.fromkeys(heap for _, _, heap in tasks))
    return "\n\n".join([
        "Ours, Druid's index = 1: processor time to add an input, to persist a row, and of a query of all rows while "
        "rows are added; bytes of a row, on the heap and in direct memory.",
        markdown(["", *FIGURES], [
            ["geometric mean", *(f"{geometric_mean(map(ours, indexes.values())):.2f}" for ours in FIGURES.values())],
            ["worst", *(worst(indexes, ours) for ours in FIGURES.values())]]),
        f"Seconds of a batch task of {int(rows[-1]['inputs']):,} distinct rows by its heap, with {DIRECT} MB of direct "
        "memory beside it. In parentheses: how often it persisted.",
        markdown(["inputs", "rows in memory", "index", *(f"{heap} MB" for heap in heaps)],
                 [[data, LIMITS[limit], index, *(ended(tasks[data, limit, heap][i]) for heap in heaps)]
                  for data, limit in dict.fromkeys(each[:2] for each in tasks)
                  for i, index in enumerate(["Druid's", "ours"])]),
    ])


def pairs(rows, names):
    """Druid's row and ours by the values of some columns."""
    found = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), {})[row["index"]] = row
    return {each: (both["druid"], both["shapeshift"]) for each, both in found.items()}


def ratio_of(read):
    return lambda both: read(both[1]) / read(both[0])


FIGURES = {
    "add": ratio_of(lambda row: float(row["addNanosPerInput"])),
    "persist": ratio_of(lambda row: float(row["persistNanosPerRow"])),
    "query": ratio_of(lambda row: float(row["queryMicros"])),
    "bytes": ratio_of(lambda row: float(row["heapBytesPerRow"]) + float(row["directBytesPerRow"])),
}


def worst(indexes, ours):
    (data, roll_up), both = max(indexes.items(), key=lambda item: ours(item[1]))
    return f"{ours(both):.2f}, {data}{' with roll-up' if roll_up == 'true' else ''}"


def ended(row):
    return f"{float(row['seconds']):.1f} ({row['persists']})" if row["outcome"] == "done" else row["outcome"]
