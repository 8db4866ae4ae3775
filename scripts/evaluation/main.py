# SPDX-License-Identifier: Apache-2.0
"""The frame of scripts/evaluate: options, parts, and what each part leaves in its directory.

A part is a module of this directory: its NAME, its QUESTION, the COLUMNS of its CSV with their meanings, the parts
whose results it NEEDS, and measure(run), which returns the rows as dicts and a Markdown text. pictures.R has a function
that draws its CSV.
"""

import argparse
import csv
import datetime
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

try:
    import decode_speed
    import druid
    import encode_speed
    import floats
    import formats
    import forms
    import generated
    import keys
    import ratio
    import rows
    import samples
    import scan_cost
    from columnar_files import UserError
    from float_formats import FLOATS
    from tables import check_table, find_tables, read_table
    from text import read_csv
except ImportError as missing:
    sys.exit(f"evaluate: {missing}, which cannot be left out: remove {sys.prefix} to try to install it again")

PARTS = {part.NAME: part for part in [
    ratio, forms, samples, encode_speed, floats, decode_speed, scan_cost, keys, rows]}
# Parts that make their own data.
WITHOUT_TABLES = {keys.NAME, rows.NAME}
# All that --without can leave out.
FORMATS = [*formats.GENERAL, *FLOATS, *keys.DATABASES]


class Run:
    """What the parts have: the tables, the options, the results of other parts, and a directory for temporary files."""

    def __init__(self, options, files, work):
        self.options = options
        self.files = files
        self.work = work
        self.built = druid.Segments(work)

    def tables(self):
        """Reads one table after the other, as all of them may not fit into the memory."""
        for name, file in self.files.items():
            self.progress(f"reading {file}")
            yield read_table(name, file)

    def segments(self):
        """Segments of all tables."""
        for name, file in self.files.items():
            if not self.built.has(name):
                self.add_segment(read_table(name, file))
        return self.built

    def add_segment(self, table):
        if not self.built.has(table.name):
            self.progress(f"{table.name} as a segment")
            self.built.add(table)

    def chosen(self, all_formats):
        return formats.chosen(all_formats, set(self.options.without))

    def results(self, part):
        """The CSV of a part, as dicts of strings; none if it has not been measured."""
        file = self.options.out / part / f"{part}.csv"
        return read_csv(file) if file.exists() else []

    def progress(self, text):
        print(f"evaluate: {text}", file=sys.stderr, flush=True)


def main():
    options = parse_arguments()
    try:
        if options.pictures and shutil.which("Rscript") is None:
            raise UserError("there is no Rscript: run scripts/setup-r, or leave the pictures out by --no-pictures")
        options.out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".evaluating-", dir=options.out) as work:
            evaluate(options, pathlib.Path(work))
    except (UserError, OSError) as e:
        print(f"evaluate: {e}", file=sys.stderr)
        return 3
    return 0


def evaluate(options, work):
    if options.quick:
        options.data = options.out / "generated"
        generated.write_tables(options.data)
    files = find_tables(options.data) if options.data else {}
    known = {name for format in FORMATS for name in [format.name, format.package]}
    for name in options.without:
        if name not in known:
            raise UserError(f"--without {name}: there is no such format; there are {', '.join(sorted(known))}")
    run = Run(options, files, work)
    formats.ClickHouse.directory = work / "clickhouse"
    # Before the first part takes its time.
    chosen = run.chosen(FORMATS)
    for name, file in files.items():
        check_table(name, file)
    about = describe(options, files, chosen)
    try:
        for name in with_needs(options.parts or list(PARTS), run):
            run.progress(f"part {name}")
            save(run, PARTS[name], *PARTS[name].measure(run), about)
    finally:
        formats.ClickHouse.close()


def with_needs(names, run):
    """The parts in their order, with those whose results they need and are not there."""
    wanted = set(names)
    for name in names:
        wanted |= {need for need in PARTS[name].NEEDS if not run.results(need)}
    return [name for name in PARTS if name in wanted]


def save(run, part, measured, text, about):
    """Puts the files of a part in place together, when all of them are there."""
    made = run.work / part.NAME
    made.mkdir()
    with open(made / f"{part.NAME}.csv", "w", newline="", encoding="utf-8") as lines:
        writer = csv.DictWriter(lines, list(part.COLUMNS), lineterminator="\n")
        writer.writeheader()
        writer.writerows(measured)
    (made / f"{part.NAME}.md").write_text(f"## {part.QUESTION}\n\n{text}\n", encoding="utf-8")
    (made / "run.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    if run.options.pictures:
        done = subprocess.run(["Rscript", "--vanilla", HERE / "pictures.R", part.NAME, made],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise UserError(f"the picture of {part.NAME} cannot be drawn: {done.stderr.strip()}")
    place = run.options.out / part.NAME
    if place.exists():
        shutil.rmtree(place)
    made.rename(place)
    print(*sorted(place.iterdir()), sep="\n", flush=True)


def describe(options, files, chosen):
    """What scripts/read-results.R reads of a run, and the versions of all formats."""
    cpu = [line.partition(":")[2].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
           if line.startswith("model name")] if pathlib.Path("/proc/cpuinfo").exists() else [platform.processor()]
    return {
        "command": ["scripts/evaluate", *sys.argv[1:]],
        "started": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "commit": git("rev-parse", "HEAD"),
        "dirty": git("status", "--porcelain") != "",
        "machine": {"cpu": cpu[0], "cores": os.cpu_count(), "os": f"{platform.system()} {platform.machine()}"},
        "python": platform.python_version(),
        "versions": formats.versions(chosen),
        "tables": {name: file.stat().st_size for name, file in files.items()},
    }


def git(*arguments):
    done = subprocess.run(["git", "-C", HERE, *arguments], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="evaluate",
        usage="scripts/evaluate [--data DIR | --quick] --out DIR [OPTION...]",
        description="Compares our columns with those of other formats on tables of rows. Each part leaves its results "
        "in OUT/PART: a CSV file, a table in Markdown, a picture, and run.json with the versions of everything.",
        epilog="docs/evaluation.md describes the parts, the data and the formats. Exit status: 0 if all parts are "
        "done, 2 if the command line is wrong, 3 if something cannot be read, written or installed, or if a format "
        "gives back another value than was written.",
    )
    parser.add_argument("--data", type=pathlib.Path, metavar="DIR",
                        help="files of rows: CSV with a header, JSON lines, or Public BI with NAME.table.sql beside it")
    parser.add_argument("--quick", action="store_true",
                        help="small generated tables, which go to OUT/generated, and few keys and rows")
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="DIR", help="where the results go")
    parser.add_argument("--part", action="append", choices=list(PARTS), dest="parts",
                        help="only this part, and those whose results it needs and OUT does not have; repeatable")
    parser.add_argument("--without", action="append", default=[], metavar="FORMAT",
                        help="leave out a format, or all of a package; repeatable")
    parser.add_argument("--no-pictures", action="store_false", dest="pictures", help="draw none; R is not needed")
    scan_cost.add_options(parser)
    options = parser.parse_args()
    if options.data and options.quick:
        parser.error("give --data DIR or --quick, not both")
    if not options.data and not options.quick and not {*(options.parts or PARTS)} <= WITHOUT_TABLES:
        parser.error("give --data DIR, or --quick for generated tables")
    return options


if __name__ == "__main__":
    sys.exit(main())
