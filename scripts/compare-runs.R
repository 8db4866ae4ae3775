#!/usr/bin/env Rscript
# SPDX-License-Identifier: Apache-2.0
# Says what got slower or larger from one run of the benchmarks to another: see --help. To be sourced for its functions:
#
#   readRun(path)                 what a run has measured, of JMH's JSON and of query-rounds.csv
#   compareRuns(old, new, share)  pairs of measurements, with ratios, intervals and verdicts

for (package in c("data.table", "jsonlite", "optparse")) {
  if (!nzchar(system.file(package = package))) {
    cat("compare-benchmarks: the R package", package, "is missing; run scripts/setup-r\n", file = stderr())
    quit(save = "no", status = 2)
  }
}
suppressPackageStartupMessages(library(data.table))

badInput <- function(...) {
  stop(structure(class = c("badInput", "error", "condition"), list(message = paste0(...), call = NULL)))
}

# What tells one measurement from another: class and method, JMH's mode, and the parameters, of which encoding is one.
KEY <- c("benchmark", "mode", "encoding", "params")

# ---- Reading

# Argument: path, a directory of results or one file of JMH's JSON.
# Value: list(path, run, measurements): what run.json says, NULL without one; a row for each benchmark, with its
# parameters, the list of its forks, each of which is the nanoseconds of its iterations, and the bytes that it tells.
readRun <- function(path) {
  if (!file.exists(path)) {
    badInput(path, ": there is no such file or directory")
  }
  files <- if (dir.exists(path)) list.files(path, "([.]json|^query-rounds[.]csv)$", full.names = TRUE) else path
  read <- lapply(files[basename(files) != "run.json"], function(file) {
    if (endsWith(file, ".csv")) readQueryRounds(file) else readJmh(file)
  })
  measurements <- rbindlist(read)
  if (nrow(measurements) == 0) {
    badInput(path, ": there is no result; name a file that JMH wrote with '-rf json', or the directory of results ",
             "that a run of the benchmarks wrote")
  }
  # A benchmark that is in several files has the forks of all.
  measurements <- measurements[, .(forks = list(unlist(forks, recursive = FALSE)), bytes = bytes[1],
                                   settings = settings[1]), by = KEY]
  run <- file.path(if (dir.exists(path)) path else dirname(path), "run.json")
  list(path = path, run = if (file.exists(run)) readJson(run), measurements = measurements)
}

readJson <- function(file) {
  tryCatch(jsonlite::fromJSON(file, simplifyVector = FALSE), error = function(e) {
    badInput(file, ": not JSON (", trimws(strsplit(conditionMessage(e), "\n")[[1]][1]), ")")
  })
}

readJmh <- function(file) {
  results <- readJson(file)
  isResult <- function(result) is.list(result) && all(c("benchmark", "mode", "primaryMetric") %in% names(result))
  if (!is.null(names(results)) || !all(vapply(results, isResult, NA))) {
    badInput(file, ": this is no result of JMH; name a file that JMH wrote with '-rf json'")
  }
  rbindlist(lapply(results, function(result) {
    params <- unlist(result$params)
    params <- params[order(as.character(names(params)), method = "radix")]
    # Class and method, without the package.
    name <- paste(tail(strsplit(result$benchmark, ".", fixed = TRUE)[[1]], 2), collapse = ".")
    text <- paste0(names(params), "=", params, recycle0 = TRUE, collapse = " ")
    refuse <- function(...) {
      badInput(file, ": ", trimws(paste(name, text)), " cannot be compared: ", ...,
               "; measure times per operation in nanoseconds, as with '-bm avgt -tu ns'")
    }
    if (result$primaryMetric$scoreUnit != "ns/op") {
      refuse("it is in ", result$primaryMetric$scoreUnit, ", not in ns/op")
    }
    forks <- lapply(result$primaryMetric$rawData, function(fork) suppressWarnings(as.numeric(unlist(fork))))
    if (length(forks) == 0 || any(lengths(forks) == 0)) {
      refuse("it has no iterations")
    }
    wrong <- Filter(function(nanos) !is.finite(nanos) || nanos <= 0, unlist(forks))
    if (length(wrong) > 0) {
      refuse("an iteration took ", wrong[1], " ns")
    }
    encoding <- if ("encoding" %in% names(params)) params[["encoding"]] else ""
    bytes <- result$secondaryMetrics$sizeInBytes$score
    data.table(
      benchmark = name, mode = result$mode, encoding = encoding, params = text, forks = list(forks),
      bytes = if (is.null(bytes)) NA_real_ else round(bytes),
      settings = paste(result$threads, result$warmupIterations, result$warmupTime,
                       result$measurementIterations, result$measurementTime)
    )
  }))
}

# Queries end to end: each JVM is a fork, and its rounds are the iterations.
readQueryRounds <- function(file) {
  rounds <- fread(file)
  absent <- setdiff(c("jvm", "round", "query", "encoding", "nanos"), names(rounds))
  if (length(absent) > 0) {
    badInput(file, ", line 1: no column '", absent[1], "' in the header; run the queries again")
  }
  jvms <- rounds[, .(nanos = list(as.numeric(nanos))), by = .(query, encoding, jvm)]
  queries <- jvms[, .(benchmark = "queries", mode = "", params = paste0("query=", query, " encoding=", encoding),
                      forks = list(nanos), bytes = NA_real_, settings = paste(lengths(nanos)[1], "rounds")),
                  by = .(query, encoding)]
  sizes <- file.path(dirname(file), "queries.csv")
  if (file.exists(sizes)) {
    queries[fread(sizes), bytes := as.numeric(i.sizeInBytes), on = c("query", "encoding")]
  }
  queries[, c(KEY, "forks", "bytes", "settings"), with = FALSE]
}

# ---- Statistics

RESAMPLES <- 1000
# Share of intervals that do not hold the true ratio, and of chance among what is said to be slower.
ALPHA <- .05

# How long an operation takes, as the mean of logarithms, and the variance of that. Iterations of one fork share memory
# layout and compiled code, and resemble each other more than those of another fork do. So each of several forks counts
# once, with its median. Of one fork there are iterations only, which know nothing of how much forks differ: they are
# drawn from (bootstrap), as one iteration that something disturbed moves a median little.
# Argument: forks, a list of vectors of nanoseconds. Value: list(mean, variance, units), units being forks or
# iterations.
sampleOf <- function(forks) {
  medians <- log(vapply(forks, median, 0))
  n <- length(forks)
  variance <- var(medians) / n
  if (n == 1) {
    n <- length(forks[[1]])
    # Draws from n values instead of from what those were drawn from vary too little by a factor.
    variance <- if (n == 1) NA_real_ else var(log(mediansOfDraws(forks[[1]]))) * n / (n - 1)
  }
  list(mean = mean(medians), variance = variance, units = n)
}

# The same at each call.
mediansOfDraws <- function(times) {
  set.seed(1)
  n <- length(times)
  draws <- sample(times, RESAMPLES * n, replace = TRUE)
  draws <- matrix(draws[order(rep(seq_len(RESAMPLES), each = n), draws)], n)
  (draws[floor((n + 1) / 2), ] + draws[ceiling((n + 1) / 2), ]) / 2
}

# Arguments: old and new, data.tables of samples; threshold, how much slower is of interest. Value: data.table with the
# ratio of new to old, its 95 % interval (Student's t around its logarithm, with Welch's degrees of freedom; NA where a
# side has one measurement only), and how likely such a ratio is by chance if new took (1 + threshold) times as long as
# old, and the other way round.
#
# A bootstrap of forks has too few to draw from: where noise was simulated, the quantiles of one held the true ratio in
# 88 % of the cases with two forks and in 93 % with three, where this interval does in 98 % and 96 %.
ratiosOf <- function(old, new, threshold) {
  logarithm <- new$mean - old$mean
  variance <- old$variance + new$variance
  freedom <- variance^2 / (old$variance^2 / (old$units - 1) + new$variance^2 / (new$units - 1))
  error <- sqrt(variance)
  exact <- !is.na(variance) & variance == 0
  freedom[exact] <- Inf
  reach <- qt(1 - ALPHA / 2, freedom) * error
  margin <- log1p(threshold)
  chance <- function(beyond) {
    found <- pt(-beyond / error, freedom)
    found[exact] <- as.numeric(beyond[exact] <= 0)
    found[is.na(found)] <- 1
    found
  }
  data.table(ratio = exp(logarithm), low = exp(logarithm - reach), high = exp(logarithm + reach),
             slowerByChance = chance(logarithm - margin), fasterByChance = chance(-logarithm - margin))
}

# The worst first.
VERDICTS <- c("slower", "perhaps slower", "within noise", "perhaps faster", "faster")

# Arguments: old and new, of readRun; threshold. Value: list(pairs, onlyOld, onlyNew), rows of what both have measured,
# the worst first, and of what one has.
compareRuns <- function(old, new, threshold = .05) {
  pairs <- merge(old$measurements, new$measurements, by = KEY, suffixes = c("Old", "New"), sort = FALSE)
  if (nrow(pairs) == 0) {
    first <- function(run) trimws(paste(run$measurements$benchmark[1], run$measurements$params[1]))
    badInput(old$path, ", ", new$path, ": nothing was measured by both: the old has ", first(old), ", the new ",
             first(new), "; run the same benchmarks with the same parameters")
  }
  before <- rbindlist(lapply(pairs$forksOld, sampleOf))
  after <- rbindlist(lapply(pairs$forksNew, sampleOf))
  pairs <- cbind(pairs, ratiosOf(before, after, threshold), nanosOld = exp(before$mean), nanosNew = exp(after$mean))
  # Among many pairs a few are beyond the threshold by chance (Benjamini and Hochberg).
  pairs[, verdict := fcase(
    !is.na(low) & low > 1 + threshold, fifelse(p.adjust(slowerByChance, "BH") <= ALPHA, "slower", "perhaps slower"),
    !is.na(high) & high < 1 / (1 + threshold),
    fifelse(p.adjust(fasterByChance, "BH") <= ALPHA, "faster", "perhaps faster"),
    default = "within noise"
  )]
  list(pairs = pairs[order(match(verdict, VERDICTS), -ratio)],
       onlyOld = old$measurements[!new$measurements, on = KEY], onlyNew = new$measurements[!old$measurements, on = KEY])
}

# ---- Telling

warningsOf <- function(old, new, pairs) {
  without <- Filter(function(side) is.null(side$run), list(old, new))
  both <- length(without) == 0
  differ <- function(part) both && !identical(old$run[[part]], new$run[[part]])
  settings <- sum(pairs$settingsOld != pairs$settingsNew)
  oneFork <- sum(lengths(pairs$forksOld) == 1 | lengths(pairs$forksNew) == 1)
  c(
    vapply(without, function(side) {
      paste0(side$path, " has no run.json: nothing is known of its commit, machine and JVM")
    }, ""),
    if (differ("machine")) "The machines differ: what takes longer may do so for that alone",
    if (differ("jvm")) "The JVMs or their options differ: what takes longer may do so for that alone",
    if (settings > 0) {
      paste0(settings, " of ", nrow(pairs), " pairs were measured with another number, or another length, of ",
             "iterations: what is warmed up longer is faster for that alone")
    },
    if (oneFork > 0) {
      paste0(oneFork, " of ", nrow(pairs), " pairs have one fork on a side. How much forks differ is unknown then: ",
             "the noise is underestimated, and more is named than there is. Run several forks")
    }
  )
}

count <- function(number) format(round(number), big.mark = ",", scientific = FALSE, trim = TRUE)

three <- function(ratio) fifelse(is.na(ratio), "", sprintf("%.3f", ratio))

# Prints a table in columns; numbers have been made text.
printTable <- function(table) {
  if (nrow(table) == 0) {
    return(invisible())
  }
  cells <- Map(function(name, column) format(c(name, as.character(column))), names(table), table)
  cat(sub(" +$", "", do.call(paste, c(unname(cells), sep = "  "))), sep = "\n")
}

timesTable <- function(pairs) {
  pairs[verdict != "within noise", .(verdict, ratio = three(ratio), from = three(low), to = three(high),
                                     `old ns` = count(nanosOld), `new ns` = count(nanosNew), benchmark,
                                     parameters = params)]
}

# A column is read in many ways; its size is told once, with the parameters that all of them have.
sizesTable <- function(pairs) {
  common <- function(params) paste(Reduce(intersect, strsplit(params, " ", fixed = TRUE)), collapse = " ")
  pairs[!is.na(bytesOld) & !is.na(bytesNew) & bytesOld != bytesNew,
        .(pairs = .N, parameters = common(params)), by = .(bytesOld, bytesNew)][order(-bytesNew / bytesOld)][
    , .(verdict = fifelse(bytesNew > bytesOld, "larger", "smaller"), ratio = three(bytesNew / bytesOld),
        `old bytes` = count(bytesOld), `new bytes` = count(bytesNew), pairs, parameters)]
}

meansTable <- function(pairs, by) {
  cbind(pairs, name = by)[name != "", .(pairs = .N, `geometric mean of ratios` = three(exp(mean(log(ratio))))),
                          keyby = name]
}

describe <- function(side) {
  run <- side$run
  if (is.null(run)) {
    return(side$path)
  }
  commit <- if (is.null(run$commit)) "unknown commit" else paste("commit", run$commit)
  paste0(side$path, "; ", commit, if (isTRUE(run$dirty)) " with changes", "; ", run$machine$cpu, ", ",
         run$machine$cores, " cores, ", run$machine$os, "; ",
         paste(c(run$jvm$name, run$jvm$version, grep("^-X", unlist(run$jvm$options), value = TRUE)), collapse = " "))
}

report <- function(old, new, compared, threshold) {
  pairs <- compared$pairs
  cat("old: ", describe(old), "\nnew: ", describe(new), "\n", sep = "")
  cat(paste0("WARNING: ", warningsOf(old, new, pairs), "\n", recycle0 = TRUE), "\n", sep = "")
  sections <- list(
    "Times, new / old with the 95 % interval" = timesTable(pairs),
    "Sizes" = sizesTable(pairs),
    "By benchmark" = meansTable(pairs, sub("[.][^.]*$", "", pairs$benchmark)),
    "By encoding" = meansTable(pairs, pairs$encoding)
  )
  for (name in names(sections)) {
    if (nrow(sections[[name]]) > 0) {
      cat(name, ":\n", sep = "")
      printTable(sections[[name]])
      cat("\n")
    }
  }
  for (side in c("old", "new")) {
    only <- compared[[c(old = "onlyOld", new = "onlyNew")[side]]]
    if (nrow(only) > 0) {
      cat("Only in ", side, ", ", nrow(only), " in number:\n", sep = "")
      cat(paste0("  ", head(paste(only$benchmark, only$params), 10), "\n"), sep = "")
      cat(if (nrow(only) > 10) "  ...\n", "\n", sep = "")
    }
  }
  number <- function(name) sum(pairs$verdict == name)
  named <- setdiff(VERDICTS, "within noise")
  cat("Of ", nrow(pairs), " that both measured: ", paste(vapply(named, number, 0), named, collapse = ", "),
      ", each beyond the threshold of ", threshold, "; ", sum(isLarger(pairs)), " larger\n", sep = "")
  if (number("perhaps slower") > 0) {
    cat("Chance alone may make up to ", ceiling(nrow(pairs) * ALPHA / 2), " of as many perhaps slower: measure those ",
        "again, old and new.\n", sep = "")
  }
}

isLarger <- function(pairs) !is.na(pairs$bytesOld) & !is.na(pairs$bytesNew) & pairs$bytesNew > pairs$bytesOld

writePairs <- function(pairs, file) {
  tryCatch(
    fwrite(pairs[, .(benchmark, mode, params, verdict, ratio, ratioLow = low, ratioHigh = high, oldNanos = nanosOld,
                     newNanos = nanosNew, oldForks = lengths(forksOld), newForks = lengths(forksNew),
                     oldSizeInBytes = bytesOld, newSizeInBytes = bytesNew)], file),
    error = function(e) badInput(file, ": cannot be written: ", conditionMessage(e))
  )
}

# ---- The command line

main <- function() {
  parser <- optparse::OptionParser(
    prog = "scripts/compare-benchmarks",
    usage = "%prog OLD NEW [options]",
    description = paste0(
      "\nPairs what two runs of the benchmarks have measured, and says what got slower or larger beyond the noise. A ",
      "run is the\ndirectory that a suite or compare-queries wrote, or a JSON file of JMH's. Something is slower if ",
      "the 95 % interval\nof new / old is wholly above 1 + threshold, and if that stands among so many pairs ",
      "(Benjamini and Hochberg, 5 % false\ndiscoveries); perhaps slower if only the former. JVMs (forks) are what is ",
      "independent, so there should be several.\nMore bytes are larger, however few.\n\n",
      "Exit status: 0 if nothing is slower or larger, 1 if something is, 2 if the command line is wrong or results ",
      "cannot be read."),
    option_list = list(
      optparse::make_option("--threshold", default = .05, metavar = "SHARE",
                            help = "how much slower is of interest [default %default]"),
      optparse::make_option("--csv", metavar = "FILE", help = "where to write all pairs as well, as CSV")
    )
  )
  arguments <- commandArgs(TRUE)
  if (any(c("--help", "-h") %in% arguments)) {
    optparse::print_help(parser)
    quit(save = "no", status = 0)
  }
  parsed <- tryCatch(
    withCallingHandlers(optparse::parse_args(parser, args = arguments, positional_arguments = TRUE),
                        warning = function(w) stop(conditionMessage(w), call. = FALSE)),
    error = function(e) badInput(trimws(sub("^Error in [^\n]*\n", "", conditionMessage(e))), "; see --help")
  )
  paths <- parsed$args
  threshold <- parsed$options$threshold
  if (length(paths) != 2) {
    badInput("two runs are compared, and ", length(paths), " are named; see --help")
  }
  if (is.na(threshold) || threshold < 0) {
    badInput("--threshold is a share, such as 0.05; it cannot be ", threshold)
  }
  old <- readRun(paths[1])
  new <- readRun(paths[2])
  compared <- compareRuns(old, new, threshold)
  report(old, new, compared, threshold)
  if (!is.null(parsed$options$csv)) {
    writePairs(compared$pairs, parsed$options$csv)
  }
  if (any(compared$pairs$verdict == "slower") || any(isLarger(compared$pairs))) 1 else 0
}

if (sys.nframe() == 0) {
  status <- tryCatch(main(), badInput = function(e) {
    cat("compare-benchmarks: ", conditionMessage(e), "\n", sep = "", file = stderr())
    2
  })
  quit(save = "no", status = status)
}
