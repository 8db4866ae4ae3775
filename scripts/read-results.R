# SPDX-License-Identifier: Apache-2.0
# Reads what a run of the benchmarks has left: CSV files of columns and of queries, and run.json beside them.
#
#   readResults(files)   checks the files and returns a list of two data.tables, `columns` and `queries`
#   resultFiles(paths)   the CSV files that files and directories stand for
#   provenance(files)    the line that says on which machine, and with which code, these files were measured
#
# Whatever is wrong in a file is a condition of class "badInput". Its message names the file, the line, the CSV's
# column, what was found and what to do.

suppressPackageStartupMessages(library(data.table))

badInput <- function(...) {
  stop(structure(class = c("badInput", "error", "condition"), list(message = paste0(...), call = NULL)))
}

RESULT_FILE <- "^(column-(ints|longs|floats|doubles)-(encode|select)-speed-(generator|segments)|queries)[.]csv$"

TIMES <- c("iterations", "nanosMedian", "nanosMin", "nanosMax", "nanosMean", "nanosError", "nanosPerRow")
HEADER <- list(
  columns = c("benchmark", "type", "task", "source", "segment", "column", "encoding", "jvm", "read", "selected", "rows",
              "selectedRows", "sizeInBytes", "forms", TIMES),
  queries = c("query", "type", "encoding", "rows", "selectedRows", "sizeInBytes", "nanosMedian", "nanosMin", "nanosMax",
              "speedup", "speedupLow", "speedupHigh")
)

# What makes a measurement the only one of its kind.
KEY <- list(
  columns = c("type", "task", "source", "segment", "column", "encoding", "jvm", "read", "selected"),
  queries = c("query", "encoding")
)

# Arguments: paths, files and directories. Value: the files, and those in the directories that are named as results are.
resultFiles <- function(paths) {
  unlist(lapply(paths, function(path) {
    if (!file.exists(path)) {
      badInput(path, ": there is no such file or directory; run the benchmarks first, or name their results")
    }
    if (!dir.exists(path)) {
      return(path)
    }
    files <- sort(list.files(path, pattern = RESULT_FILE), method = "radix")
    if (length(files) == 0) {
      badInput(path, ": no results in this directory, which are named such as column-ints-select-speed-segments.csv ",
               "or queries.csv; name the directory that a run of the benchmarks wrote")
    }
    file.path(path, files)
  }))
}

# Arguments: files, paths of CSV files. Value: list(columns =, queries =), data.tables in which the columns of numbers
# are numbers and `selected` is text; a table without rows where no file is of that kind.
readResults <- function(files) {
  tables <- lapply(files, readResultFile)
  kinds <- vapply(tables, function(table) attr(table, "kind"), "")
  results <- lapply(c(columns = "columns", queries = "queries"), function(kind) {
    table <- rbindlist(tables[kinds == kind])
    if (nrow(table) > 0) {
      checkOnce(table, KEY[[kind]])
    }
    table
  })
  if (nrow(results$columns) > 0) {
    checkSame(results$columns, "rows", c("type", "source", "segment", "column"))
    checkSame(results$columns, "sizeInBytes", c("type", "source", "segment", "column", "encoding"))
  }
  if (nrow(results$queries) > 0) {
    checkSame(results$queries, "sizeInBytes", "encoding")
    checkSame(results$queries, "selectedRows", "query")
  }
  results
}

readResultFile <- function(file) {
  if (!file.exists(file) || dir.exists(file)) {
    badInput(file, ": there is no such file; run the benchmarks first, or name their results")
  }
  widths <- suppressWarnings(count.fields(file, sep = ",", quote = "\"", comment.char = "", blank.lines.skip = FALSE))
  if (length(widths) == 0) {
    badInput(file, ": the file is empty; run the benchmarks again")
  }
  header <- names(read.csv(file, nrows = 0, header = TRUE, check.names = FALSE, colClasses = "character"))
  kind <- if (any(c("query", "speedup") %in% header)) "queries" else "columns"
  absent <- setdiff(HEADER[[kind]], header)
  if (length(absent) > 0) {
    badInput(file, ", line 1: no column '", paste(absent, collapse = "', '"), "' in the header of a file of ", kind,
             ", which starts with '", paste(head(header, 3), collapse = ","),
             "'; name a CSV file that the benchmarks wrote")
  }
  ragged <- which(is.na(widths) | widths != length(header))
  if (length(ragged) > 0) {
    found <- widths[ragged[1]]
    badInput(file, ", line ", ragged[1], ": ",
             if (is.na(found)) "a quote that does not end" else paste(found, if (found == 1) "field" else "fields"),
             " where the header has ", length(header), "; the file is cut off or was edited: run the benchmarks again")
  }
  if (length(widths) == 1) {
    badInput(file, ": a header and no rows; run the benchmarks again, and see what they print")
  }
  table <- as.data.table(read.csv(file, check.names = FALSE, colClasses = "character", na.strings = character(),
                                  blank.lines.skip = FALSE))[, HEADER[[kind]], with = FALSE]
  table[, c("file", "line") := list(file, seq_len(.N) + 1L)]
  if (kind == "columns") checkColumns(table) else checkQueries(table)
  setattr(table, "kind", kind)
  table
}

checkColumns <- function(table) {
  checkOneOf(table, "type", c("ints", "longs", "floats", "doubles"))
  checkOneOf(table, "task", c("encode", "select"))
  checkOneOf(table, "source", c("generator", "segments"))
  checkOneOf(table, "jvm", c("fresh", "polluted"))
  checkNames(table, c("column", "encoding"))
  select <- table$task == "select"
  checkOneOf(table, "read", c("single", "positions", "vector"), select)
  checkSelected(table, select)
  checkTimes(table)
  checkNumbers(table, c("rows", "sizeInBytes"))
  checkNumbers(table, "selectedRows", select)
}

checkQueries <- function(table) {
  checkNames(table, c("query", "encoding"))
  checkNumbers(table, c("rows", "sizeInBytes"))
  checkNumbers(table, "selectedRows", least = 0)
  checkMedians(table)
  # What the others are compared with has none.
  checkNumbers(table, c("speedup", "speedupLow", "speedupHigh"), table$speedup != "")
}

checkTimes <- function(table) {
  checkNumbers(table, c("iterations", "nanosMean", "nanosPerRow"))
  # JMH has no error to give where there is one iteration.
  some <- !table$nanosError %in% c("", "NaN")
  checkNumbers(table, "nanosError", some, least = 0)
  checkMedians(table)
}

checkMedians <- function(table) {
  checkNumbers(table, c("nanosMedian", "nanosMin", "nanosMax"))
  wrong <- table[, nanosMin > nanosMedian | nanosMedian > nanosMax]
  complain(table, "nanosMedian", wrong, "a number from nanosMin to nanosMax of the same line")
}

# One error, of the first line that is wrong.
complain <- function(table, name, wrong, expected) {
  if (any(wrong)) {
    row <- which(wrong)[1]
    badInput(table$file[row], ", line ", table$line[row], ", column '", name, "': found '", table[[name]][row],
             "' where ", expected, " is expected; correct the line, or run the benchmarks again")
  }
}

checkOneOf <- function(table, name, values, which = TRUE) {
  complain(table, name, which & !table[[name]] %in% values, paste("one of", paste(values, collapse = ", ")))
}

checkNames <- function(table, names) {
  for (name in names) {
    complain(table, name, table[[name]] == "", "a name")
  }
}

checkSelected <- function(table, which) {
  share <- suppressWarnings(as.numeric(table$selected))
  good <- (!is.na(share) & share > 0 & share <= 1) | table$selected == "scan"
  complain(table, "selected", which & !good, "a share of the rows above 0 and up to 1, or 'scan',")
  # 0.10 and 0.1 are the same share.
  table[!is.na(share), selected := format(as.numeric(selected), scientific = FALSE, trim = TRUE, drop0trailing = TRUE),
        by = selected]
}

checkNumbers <- function(table, names, which = TRUE, least = NA) {
  for (name in names) {
    number <- suppressWarnings(as.numeric(table[[name]]))
    good <- is.finite(number) & if (is.na(least)) number > 0 else number >= least
    complain(table, name, which & !good, if (is.na(least)) "a number above 0" else paste("a number from", least))
    set(table, j = name, value = number)
  }
}

checkOnce <- function(table, key) {
  again <- which(duplicated(table, by = key))
  if (length(again) > 0) {
    second <- table[again[1]]
    first <- table[second, on = key, mult = "first"]
    badInput(second$file, ", line ", second$line, ": measures the same as ", first$file, ", line ", first$line, " (",
             paste(unlist(second[, key, with = FALSE]), collapse = " "), "); name the files of one run only")
  }
}

checkSame <- function(table, name, by) {
  first <- table[, .SD[1], by = by, .SDcols = c(name, "file", "line")]
  other <- first[table, on = by][get(paste0("i.", name)) != get(name)]
  if (nrow(other) > 0) {
    row <- other[1]
    badInput(row$i.file, ", line ", row$i.line, ", column '", name, "': found ", row[[paste0("i.", name)]], " where ",
             row$file, ", line ", row$line, ", has ", row[[name]], " for the same (",
             paste(unlist(row[, by, with = FALSE]), collapse = " "), "); name the files of one run only")
  }
}

# Arguments: files, the CSV files. Value: a line for every run.json beside them, "" where there is none.
provenance <- function(files) {
  lines <- vapply(unique(dirname(files)), function(directory) {
    file <- file.path(directory, "run.json")
    if (!file.exists(file)) {
      return("")
    }
    run <- tryCatch(jsonlite::fromJSON(file), error = function(e) {
      badInput(file, ": not JSON (", trimws(strsplit(conditionMessage(e), "\n")[[1]][1]),
               "); run the benchmarks again, or remove the file")
    })
    if (!is.list(run) || is.null(names(run))) {
      badInput(file, ": not an object of JSON; run the benchmarks again, or remove the file")
    }
    part <- function(...) {
      Reduce(function(value, name) if (is.list(value)) value[[name]], c(...), run)
    }
    # What run.json does not have is left out: paste0 of nothing and something is nothing.
    join <- function(...) paste0(..., recycle0 = TRUE)
    parts <- c(
      paste(c(part("machine", "cpu"), join(part("machine", "cores"), " cores"), part("machine", "os")),
            collapse = ", "),
      # Of its options those that say something of speed.
      paste(c(part("jvm", "name"), part("jvm", "version"), grep("^-X", part("jvm", "options"), value = TRUE)),
            collapse = " "),
      join("commit ", substr(part("commit"), 1, 12), if (isTRUE(part("dirty"))) " with local changes" else ""),
      substr(part("started"), 1, 10)
    )
    paste(parts[parts != ""], collapse = "; ")
  }, "")
  paste(unique(lines[lines != ""]), collapse = "\n")
}
