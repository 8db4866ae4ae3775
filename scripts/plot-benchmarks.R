#!/usr/bin/env Rscript
# SPDX-License-Identifier: Apache-2.0
# Makes pictures of the results of the benchmarks: see --help.

# Pictures have signs such as the micro sign, and an order that is the same everywhere.
invisible(Sys.setlocale("LC_COLLATE", "C"))
if (!isTRUE(l10n_info()[["UTF-8"]])) {
  for (locale in c("C.UTF-8", "en_US.UTF-8")) {
    if (nzchar(suppressWarnings(Sys.setlocale("LC_CTYPE", locale)))) break
  }
}

fail <- function(...) {
  cat("plot-benchmarks: ", ..., "\n", sep = "", file = stderr())
  quit(save = "no", status = 2)
}

# R writes spaces of the path as ~+~.
script <- gsub("~+~", " ", sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]), fixed = TRUE)
here <- dirname(normalizePath(script))
for (package in c("data.table", "ggplot2", "jsonlite", "magick", "optparse", "patchwork", "svglite")) {
  if (!nzchar(system.file(package = package))) {
    fail("the R package ", package, " is missing; run ", file.path(here, "setup-r"))
  }
}
source(file.path(here, "read-results.R"), encoding = "UTF-8")

readOptions <- function() {
  option <- optparse::make_option
  parser <- optparse::OptionParser(
    usage = "Rscript %prog --in PATH[,PATH...] --out DIR [options]",
    description = paste0(
      "\nMakes pictures of the results of the benchmarks, of whatever there is: time to select rows, encoded size, ",
      "encoding\nspeed, speed against size, speed of queries, and an animation over the columns. Prints the files it ",
      "made.\n\nExit status: 0 if all pictures are made; 2, and none is, if the input or an option is wrong."),
    option_list = list(
      option("--in", dest = "input", metavar = "PATH", help = "CSV files of results, or directories of them"),
      option("--out", metavar = "DIR", help = "where the pictures go; made if it is not there"),
      option("--baseline", default = "druid-lz4", metavar = "ENCODING",
             help = "what others are compared with [default %default]"),
      option("--columns", metavar = "A,B", help = "only these columns [default all]"),
      option("--encodings", metavar = "A,B", help = "only these encodings [default all]"),
      option("--format", default = "png,svg", help = "png, svg or both [default %default]"),
      option("--width", default = 10, help = "inches, from 8 to 40 [default %default]"),
      option("--height", default = 7, help = "inches, from 5 to 40 [default %default]"),
      option("--dpi", default = 150, help = "pixels per inch of PNG, from 50 to 600 [default %default]"),
      option("--no-gif", dest = "noGif", action = "store_true", default = FALSE, help = "no animations")
    )
  )
  arguments <- commandArgs(TRUE)
  if (any(c("--help", "-h") %in% arguments)) {
    optparse::print_help(parser)
    quit(save = "no", status = 0)
  }
  options <- tryCatch(
    withCallingHandlers(
      optparse::parse_args(parser, args = arguments),
      warning = function(w) stop(conditionMessage(w), call. = FALSE)
    ),
    error = function(e) badInput(trimws(sub("^Error in [^\n]*\n", "", conditionMessage(e))), "; see --help")
  )
  for (name in c("input", "out")) {
    if (is.null(options[[name]]) || options[[name]] == "") {
      badInput("no --", if (name == "input") "in" else name, "; see --help")
    }
  }
  options$format <- strsplit(options$format, ",")[[1]]
  if (length(options$format) == 0 || !all(options$format %in% c("png", "svg"))) {
    badInput("--format is '", paste(options$format, collapse = ","), "'; choose png, svg or png,svg")
  }
  for (range in list(list("width", 8, 40), list("height", 5, 40), list("dpi", 50, 600))) {
    number <- options[[range[[1]]]]
    if (is.na(number) || number < range[[2]] || number > range[[3]]) {
      badInput("--", range[[1]], " is ", number, "; choose a number from ", range[[2]], " to ", range[[3]])
    }
  }
  if (file.exists(options$out) && !dir.exists(options$out)) {
    badInput("--out ", options$out, ": a file, not a directory; choose another")
  }
  # A path may have a comma in it.
  options$input <- if (file.exists(options$input)) options$input else strsplit(options$input, ",")[[1]]
  options
}

# Keeps the rows of a comma-separated list of names; none of them may be unknown.
keep <- function(results, name, list) {
  if (is.null(list)) {
    return(results)
  }
  wanted <- strsplit(list, ",")[[1]]
  there <- unique(unlist(lapply(results, function(table) table[[name]])))
  unknown <- setdiff(wanted, there)
  if (length(unknown) > 0 || length(wanted) == 0) {
    badInput("--", name, "s: no ", name, " '", paste(unknown, collapse = "', '"), "' in the results; there are ",
             paste(there, collapse = ", "))
  }
  lapply(results, function(table) if (is.null(table[[name]])) table else table[get(name) %in% wanted])
}

# Names for files: of letters, digits and a few signs, none twice, whatever the case.
slugs <- function(names) {
  slug <- substr(gsub("[^A-Za-z0-9._-]+", "_", names), 1, 80)
  lower <- make.unique(tolower(slug), sep = "-")
  paste0(slug, substring(lower, nchar(slug) + 1))
}

# The shortest ends of paths that tell them apart, and that say something: a partition's number or index.zip does not.
shortPaths <- function(paths) {
  parts <- strsplit(sub("/+$", "", paths), "/+")
  end <- function(length) vapply(parts, function(part) paste(tail(part, length), collapse = "-"), "")
  for (length in seq_len(max(lengths(parts), 1))) {
    short <- end(length)
    if (!anyDuplicated(short) && !any(grepl("^([0-9]+|index[.]zip)$", short))) break
  }
  slugs(short)
}

# Value: list of list(name, plots) of the columns of one type, source and segment.
columnPictures <- function(columns, options, note) {
  select <- columns[task == "select"]
  encode <- columns[task == "encode"]
  frames <- if (nrow(select) > 0) plotColumns(columns, options$baseline, note)
  pictures <- list(
    "select-speed" = if (nrow(select) > 0) plotSelectSpeed(columns, note),
    "encoded-size" = plotEncodedSize(columns, options$baseline, note),
    "encode-speed" = if (nrow(encode) > 0) plotEncodeSpeed(columns, options$baseline, note),
    "size-summary" = plotSizeSummary(columns, options$baseline, note),
    "composition" = plotComposition(columns, note),
    "frontier" = if (nrow(select) > 0) plotFrontier(columns, options$baseline, note)
  )
  single <- lapply(frames, list)
  names(single) <- sprintf("column-%s", slugs(names(frames)))
  list(pictures = c(pictures, single), frames = frames)
}

main <- function() {
  options <- readOptions()
  files <- resultFiles(options$input)
  results <- keep(keep(readResults(files), "column", options$columns), "encoding", options$encodings)
  note <- provenance(files)

  # Only now: the packages that draw take longer to load than most files to be refused.
  source(file.path(here, "plots.R"), encoding = "UTF-8")

  # Written beside the directory, and moved when all are made.
  made <- character()
  beside <- paste0(sub("/+$", "", options$out), ".making-", Sys.getpid())
  on.exit(unlink(beside, recursive = TRUE))
  if (!dir.create(beside, recursive = TRUE, showWarnings = FALSE)) {
    badInput("--out ", options$out, ": cannot write there; choose another directory")
  }
  save <- function(name, pictures) {
    for (page in seq_along(pictures)) {
      number <- if (length(pictures) > 1) sprintf("-%0*d", nchar(length(pictures)), page) else ""
      for (format in options$format) {
        file <- paste0(name, number, ".", format)
        savePlot(pictures[[page]], file.path(beside, file), options$width, options$height, options$dpi)
        made <<- c(made, file)
      }
    }
  }

  columns <- results$columns
  if (nrow(columns) > 0) {
    groups <- unique(columns[, .(type, source, segment)])
    segments <- unique(groups[source == "segments", segment])
    short <- setNames(shortPaths(segments), segments)
    for (i in seq_len(nrow(groups))) {
      group <- groups[i]
      part <- columns[group, on = names(group)]
      without <- setdiff(part$column, part[encoding == options$baseline]$column)
      if (length(without) > 0 && options$baseline %in% part$encoding) {
        cat("plot-benchmarks: without ", options$baseline, ", and so in no picture that compares with it: ",
            paste(without, collapse = ", "), "\n", sep = "", file = stderr())
      }
      name <- paste(c(group$type, group$source, if (group$source == "segments") short[[group$segment]]),
                    collapse = "-")
      drawn <- columnPictures(part, options, note)
      for (kind in names(drawn$pictures)) {
        save(paste0(name, "-", kind), drawn$pictures[[kind]])
      }
      if (!options$noGif && length(drawn$frames) > 0) {
        file <- paste0(name, "-columns.gif")
        animatePlot(drawn$frames, file.path(beside, file), width = options$width, height = options$height)
        made <- c(made, file)
      }
    }
  }
  if (nrow(results$queries) > 0) {
    save("query-speed", plotQuerySpeed(results$queries, note))
  }

  dir.create(options$out, recursive = TRUE, showWarnings = FALSE)
  moved <- file.rename(file.path(beside, made), file.path(options$out, made))
  if (!all(moved)) {
    badInput("--out ", options$out, ": cannot write ", made[!moved][1], " there; choose another directory")
  }
  cat(file.path(options$out, made), sep = "\n")
}

tryCatch(main(), badInput = function(e) fail(conditionMessage(e)))
