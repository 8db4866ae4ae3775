# SPDX-License-Identifier: Apache-2.0
"""Part keys: an index of unique random keys, beside the primary keys of embedded databases."""

import concurrent.futures
import os
import shutil
import time
import warnings

import druid
import numpy as np
import pyarrow as pa
import pyarrow.parquet
from columnar_files import UserError
from text import markdown

NAME = "keys"
QUESTION = "How fast and how large is an index of unique keys?"
NEEDS = ()
COLUMNS = {
    "format": "`shapeshift`: a column of longs with a hash index; or a database",
    "load": "`at once`; `two batches`: half of the keys, then the other half",
    "threads": "threads that load, and that look up",
    "keys": "number of keys",
    "columnBytes": "bytes of the keys without the index",
    "indexBytes": "bytes of the index",
    "columnSeconds": "time to store the keys without an index; empty: not measured",
    "buildSeconds": "time to store the keys with their index; of two batches, the first",
    "secondSeconds": "time to store the second batch",
    "mergeSeconds": "ours: time to write both batches to one column with one index",
    "lookUps": "keys that are looked up in bulk, and one by one in ours",
    "presentNanos": "time of a look-up of one existing key",
    "absentNanos": "time of a look-up of one absent key",
    "statementNanos": "databases: time of a statement that reads no table",
    "bulkPresentNanos": "time for each of many existing keys",
    "bulkAbsentNanos": "time for each of many absent keys",
}
KEYS, QUICK_KEYS = 60_000_000, 100_000
LOOK_UPS, QUICK_LOOK_UPS = 1_000_000, 10_000
# Statements of one key each, in a database.
STATEMENTS, QUICK_STATEMENTS = 2_000, 200
# Joins, of which the least time is taken.
ROUNDS = 2
GOLDEN_GAMMA = 0x9E3779B97F4A7C15
LOADS = {"at once": [["0.parquet", "1.parquet"]], "two batches": [["0.parquet"], ["1.parquet"]]}


class Database:
    """An embedded database that has a table of keys, `keyed`, with an index of them."""

    def __init__(self, directory, threads):
        self.file = directory / f"{self.name}.db"
        self.threads = threads

    def load(self, files):
        """Adds the keys of Parquet files, and makes them durable."""
        raise NotImplementedError

    def column_bytes(self):
        raise NotImplementedError

    def bytes(self):
        """Bytes of everything."""
        raise NotImplementedError

    def seconds_without_index(self, _):
        return ""

    def finder(self):
        """What a thread uses: a function that finds one key, and one that reads no table."""
        raise NotImplementedError

    def count(self, keys):
        """Number of keys of an Arrow table that are there, by a join with all threads of the database."""
        raise NotImplementedError


class DuckDb(Database):
    name = package = module = "duckdb"

    def __init__(self, directory, threads):
        super().__init__(directory, threads)
        import duckdb
        self.connection = duckdb.connect(str(self.file))
        self.connection.execute(f"SET threads = {threads}")
        self.connection.execute("CREATE TABLE keyed (key BIGINT PRIMARY KEY)")

    def load(self, files):
        self.insert("keyed", files)

    def insert(self, table, files):
        self.connection.execute(f"INSERT INTO {table} FROM read_parquet({[str(file) for file in files]})")
        self.connection.execute("CHECKPOINT")

    def seconds_without_index(self, files):
        before = self.bytes()
        self.connection.execute("CREATE TABLE plain (key BIGINT)")
        seconds, _ = timed(self.insert, "plain", files)
        self.plain_bytes = self.bytes() - before
        self.connection.execute("DROP TABLE plain")
        self.connection.execute("CHECKPOINT")
        return seconds

    def column_bytes(self):
        return self.plain_bytes

    def bytes(self):
        return self.connection.execute("SELECT used_blocks * block_size FROM pragma_database_size()").fetchall()[0][0]

    def finder(self):
        connection = self.connection.cursor()
        connection.execute("PREPARE find AS SELECT rowid FROM keyed WHERE key = $1")
        connection.execute("PREPARE nothing AS SELECT $1")
        return (lambda key: len(connection.execute(f"EXECUTE find({key})").fetchall()),
                lambda key: len(connection.execute(f"EXECUTE nothing({key})").fetchall()))

    def count(self, keys):
        self.connection.register("wanted", keys)
        # All rows are fetched, or the connection would not do anything else.
        (found, _), = self.connection.execute(
            "SELECT count(*), sum(keyed.rowid) FROM keyed JOIN wanted USING (key)").fetchall()
        return found

    def close(self):
        self.connection.close()


class Kuzu(Database):
    """Kùzu has no table of keys without an index of them."""

    name = package = module = "kuzu"

    def __init__(self, directory, threads):
        super().__init__(directory, threads)
        import kuzu
        self.database = kuzu.Database(str(self.file), max_num_threads=threads)
        self.connection = kuzu.Connection(self.database, num_threads=threads)
        self.connection.execute("CREATE NODE TABLE keyed (key INT64 PRIMARY KEY)")

    def load(self, files):
        self.connection.execute(f"COPY keyed FROM {[str(file) for file in files]}")
        self.connection.execute("CHECKPOINT")

    def column_bytes(self):
        return self.pages("storage_info('keyed')")

    def bytes(self):
        return self.file.stat().st_size - self.pages("fsm_info()")

    def pages(self, function):
        pages, = self.connection.execute(f"CALL {function} RETURN sum(num_pages)").get_next()
        return 4096 * int(pages or 0)

    def finder(self):
        import kuzu
        connection = kuzu.Connection(self.database, num_threads=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            find, nothing = (connection.prepare(f"{text} AS found") for text in [
                "MATCH (n:keyed) WHERE n.key = $key RETURN offset(id(n))", "RETURN $key"])
        return (lambda key: connection.execute(find, {"key": key}).get_num_tuples(),
                lambda key: connection.execute(nothing, {"key": key}).get_num_tuples())

    def count(self, keys):
        found, _ = self.connection.execute(
            "LOAD FROM $wanted WITH key AS wanted MATCH (n:keyed) WHERE n.key = wanted "
            "RETURN count(*), sum(offset(id(n)))", {"wanted": keys}).get_next()
        return found

    def close(self):
        self.connection.close()
        self.database.close()


DATABASES = [DuckDb, Kuzu]


def measure(run):
    quick = run.options.quick
    keys, look_ups, statements = ((QUICK_KEYS, QUICK_LOOK_UPS, QUICK_STATEMENTS) if quick
                                  else (KEYS, LOOK_UPS, STATEMENTS))
    threads = os.cpu_count()
    run.progress(f"hash index of {keys:,} keys")
    found = druid.benchmark(run.work, "keys", "--keys", f"{keys}", "--look-ups", f"{look_ups}", "--threads",
                            f"{threads}", *(["--rounds", "1"] if quick else []), jvm="-Xmx4g")["keys"]
    rows = [{"format": "shapeshift", **row} for row in found]
    databases = run.chosen(DATABASES)
    if databases:
        directory = run.work / NAME
        directory.mkdir()
        wanted = write_keys(directory, keys, look_ups)
        for database in databases:
            # Batches by all threads alone: loading takes most of the time of this part.
            for load, count in dict.fromkeys([("at once", 1), ("at once", threads), ("two batches", threads)]):
                run.progress(f"{database.name}: {load}, threads: {count}")
                rows.append(measured(database, directory, load, count, keys, wanted, statements))
        shutil.rmtree(directory)
    return rows, text(rows)


def write_keys(directory, keys, look_ups):
    """Writes the keys as Parquet. Value: existing and absent keys, in random order."""
    for i, name in enumerate(["0.parquet", "1.parquet"]):
        half = pa.table({"key": numbers(keys * i // 2, keys * (i + 1) // 2)})
        pa.parquet.write_table(half, directory / name, compression="none", use_dictionary=False)
    present = np.random.default_rng(keys).choice(keys, look_ups, replace=False)
    return {"present": mixed(present), "absent": numbers(keys, keys + look_ups)}


def numbers(start, end):
    return mixed(np.arange(start, end))


def mixed(indexes):
    """Numbers of the sequence SplitMix64, which does not repeat any; as those of benchmark's `keys`."""
    z = (indexes.astype(np.uint64) + np.uint64(1)) * np.uint64(GOLDEN_GAMMA)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))).view(np.int64)


def measured(kind, directory, load, threads, keys, wanted, statements):
    work = directory / kind.name
    work.mkdir()
    try:
        database = kind(work, threads)
        try:
            batches = [[directory / name for name in names] for names in LOADS[load]]
            column_seconds = database.seconds_without_index([file for files in batches for file in files])
            seconds = [timed(database.load, files)[0] for files in batches]
            column_bytes = database.column_bytes()
            return {
                "format": kind.name, "load": load, "threads": threads, "keys": keys, "columnBytes": column_bytes,
                "indexBytes": database.bytes() - column_bytes, "columnSeconds": column_seconds,
                "buildSeconds": seconds[0], "secondSeconds": seconds[1] if len(seconds) > 1 else "", "mergeSeconds": "",
                "lookUps": len(wanted["present"]), **look_ups(database, wanted, statements, threads),
            }
        finally:
            database.close()
    except UserError:
        raise
    except Exception as e:
        raise UserError(f"{kind.name} failed on {keys:,} keys: {e}") from e
    finally:
        shutil.rmtree(work)


def look_ups(database, wanted, statements, threads):
    nanos = {}
    finders = [database.finder() for _ in range(threads)]
    with concurrent.futures.ThreadPoolExecutor(threads) as executor:
        for column, which, finder in [("present", "present", 0), ("absent", "absent", 0), ("statement", "present", 1)]:
            shares = np.array_split(wanted[which][:statements], threads)
            seconds, found = timed(lambda: sum(executor.map(
                lambda find, share: sum(map(find, share.tolist())), [each[finder] for each in finders], shares)))
            check(database, found, 0 if which == "absent" else statements)
            nanos[f"{column}Nanos"] = seconds * 1e9 / statements
    for column, which in [("bulkPresent", "present"), ("bulkAbsent", "absent")]:
        table = pa.table({"key": wanted[which]})
        rounds = []
        for _ in range(ROUNDS):
            seconds, found = timed(database.count, table)
            check(database, found, 0 if which == "absent" else len(table))
            rounds.append(seconds)
        nanos[f"{column}Nanos"] = min(rounds) * 1e9 / len(table)
    return nanos


def check(database, found, expected):
    if found != expected:
        raise UserError(f"{database.name} is wrong: it finds {found} keys, not {expected}")


def timed(work, *arguments):
    begin = time.perf_counter()
    value = work(*arguments)
    return time.perf_counter() - begin, value


def text(rows):
    return "\n\n".join([
        f"{int(rows[0]['keys']):,} keys. Million keys a second that are stored with their index, all batches and "
        "merging included, and bytes of the index for each key. Nanoseconds for each key: one at a time, in databases "
        f"by a prepared statement, and of {int(rows[0]['lookUps']):,} keys together.",
        markdown(["format", "load", "threads", "million/s", "index bytes", "existing", "absent", "existing, bulk",
                  "absent, bulk"],
                 [[*name(row), *sizes(row), *(number(row.get(f"{column}Nanos", ""), ",.0f") for column in [
                     "present", "absent", "bulkPresent", "bulkAbsent"])] for row in rows]),
    ])


def sizes(row):
    keys = int(row["keys"])
    steps = [row[step] for step in ["buildSeconds", "secondSeconds", "mergeSeconds"]]
    rate = keys / sum(float(step or 0) for step in steps) / 1e6
    return [f"{rate:.2f}", f"{int(row['indexBytes']) / keys:.2f}"]


def name(row):
    return [f"`{row['format']}`", row["load"], f"{row['threads']}"]


def number(value, format):
    return "" if value == "" else f"{float(value):{format}}"
