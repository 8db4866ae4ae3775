#!/usr/bin/env Rscript
# SPDX-License-Identifier: Apache-2.0
# Tests scripts/plot-benchmarks.R on made-up results, as it is called: which files it makes, and what it says of files
# that are wrong. Usage: Rscript scripts/test/plots-test.R

started <- Sys.time()
self <- gsub("~+~", " ", sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]), fixed = TRUE)
tests <- dirname(normalizePath(self))
scripts <- dirname(tests)
for (file in c(file.path(scripts, c("read-results.R", "plots.R")), file.path(tests, "synthetic-results.R"))) {
  source(file, encoding = "UTF-8")
}

# A directory with a space in its name, and another to run in.
root <- file.path(tempfile("plots-test"), "a space")
dir.create(root, recursive = TRUE)
elsewhere <- tempfile("elsewhere")
dir.create(elsewhere)
setwd(elsewhere)

plotBenchmarks <- function(...) {
  out <- tempfile()
  err <- tempfile()
  status <- system2(file.path(R.home("bin"), "Rscript"),
                    shQuote(c("--vanilla", file.path(scripts, "plot-benchmarks.R"), ...)), stdout = out, stderr = err)
  list(status = status, out = readLines(out), err = readLines(err))
}
directory <- function(...) {
  path <- file.path(root, ...)
  dir.create(path, recursive = TRUE)
  path
}

# Width and height from the header of a PNG file.
pngSize <- function(file) {
  header <- readBin(file, "raw", 24)
  stopifnot(identical(header[2:4], charToRaw("PNG")))
  readBin(header[17:24], "integer", n = 2, size = 4, endian = "big")
}

few <- directory("few")
writeColumnResults(few, source = "generator", columns = c("zipf", "uniform-2"),
                   encodings = c("druid-lz4", "shapeshift-faster"))
writeQueryResults(few, c("druid-lz4", "shapeshift-faster"))
writeRun(few)

cat("A directory with columns and queries\n")
out <- file.path(root, "pictures", "few")
run <- plotBenchmarks("--in", few, "--out", out, "--width", "8", "--height", "6", "--dpi", "100")
writeLines(run$err)
stopifnot(run$status == 0, length(run$err) == 0)
kinds <- c("select-speed", "encoded-size", "encode-speed", "size-summary", "composition", "frontier",
           "column-zipf", "column-uniform-2")
expected <- c(outer(c(paste0("ints-generator-", kinds), "query-speed"), c(".png", ".svg"), paste0),
              "ints-generator-columns.gif")
stopifnot(setequal(list.files(out), expected), setequal(run$out, file.path(out, expected)),
          identical(list.files(dirname(out)), "few"))
for (file in list.files(out, "png$", full.names = TRUE)) {
  stopifnot(identical(pngSize(file), c(800L, 600L)))
}
gif <- magick::image_info(magick::image_read(file.path(out, "ints-generator-columns.gif")))
stopifnot(nrow(gif) == 2, gif$width[1] == 880, gif$height[1] == 660)

cat("Text is legible, nothing is cut at the right, and the caption says what was measured\n")
svgs <- list.files(out, "svg$", full.names = TRUE)
for (file in svgs) {
  svg <- paste(readLines(file), collapse = "\n")
  sizes <- regmatches(svg, gregexpr("(?<=font-size: )[0-9.]+", svg, perl = TRUE))[[1]]
  stopifnot(length(sizes) > 10, as.numeric(sizes) >= 7)
  texts <- regmatches(svg, gregexpr("<text x='[-0-9.]+'[^>]*", svg))[[1]]
  left <- as.numeric(sub("<text x='([-0-9.]+)'.*", "\\1", texts))
  length <- as.numeric(sub(".*textLength='([0-9.]+)px'.*", "\\1", texts))
  anchor <- ifelse(grepl("text-anchor='end'", texts), 1, ifelse(grepl("text-anchor='middle'", texts), .5, 0))
  stopifnot(left - anchor * length >= 0, left + (1 - anchor) * length <= 8 * 72)
  stopifnot(grepl("Example CPU 9000, 2 cores", svg, fixed = TRUE), grepl("17.0.15+6", svg, fixed = TRUE),
            grepl("commit 0123456789ab with local changes", svg, fixed = TRUE), grepl("2026-11-22", svg, fixed = TRUE))
}

cat("Each file alone makes what it can; the same input gives the same SVG, also in a locale without UTF-8\n")
alone <- function(files, ...) {
  out <- tempfile("alone", root)
  run <- plotBenchmarks("--in", paste(file.path(few, files), collapse = ","), "--out", out, "--no-gif", ...)
  writeLines(run$err)
  stopifnot(run$status == 0)
  list.files(out, full.names = TRUE)
}
Sys.setenv(LC_ALL = "C")
again <- alone(c("column-ints-encode-speed-generator.csv", "queries.csv"), "--width", "8", "--height", "6",
               "--format", "svg")
Sys.unsetenv("LC_ALL")
stopifnot(
  setequal(basename(again), c(paste0("ints-generator-", c("encoded-size", "encode-speed", "size-summary",
                                                      "composition"), ".svg"), "query-speed.svg")),
  identical(unname(tools::md5sum(again)), unname(tools::md5sum(file.path(out, basename(again)))))
)
stopifnot(setequal(
  basename(alone("column-ints-select-speed-generator.csv", "--columns", "zipf", "--format", "png", "--dpi", "50")),
  paste0("ints-generator-", setdiff(kinds, c("encode-speed", "column-uniform-2")), ".png")
))

cat("Many columns take several pages, and each page has its share\n")
many <- directory("many")
writeColumnResults(many, columns = sprintf("column%02d", 1:20), encodings = ENCODINGS$encoding[1:8],
                   jvms = c("fresh", "polluted"), shares = c("0.0001", "0.001", "0.01", "0.1", "0.5", "1"),
                   reads = c("single", "vector", "positions"))
results <- readResults(resultFiles(many))$columns
selectPages <- plotIntSegBench(results)
stopifnot(identical(names(selectPages), sprintf("column%02d", 1:20)))
stopifnot(lengths(list(plotSelectSpeed(results), plotEncodedSize(results), plotIntSegSizeSummary(results),
                       plotComposition(results), plotFrontier(results))) == c(5, 2, 1, 2, 4))
shares <- plotComposition(results)[[1]]$data
stopifnot(setequal(shares$encoding, grep("^shapeshift", ENCODINGS$encoding, value = TRUE)),
          shares[form == "tans"]$share == 13 / 16, shares[form == "lz4"]$share == 3 / 16,
          length(plotComposition(results[encoding == "druid-lz4"])) == 0)
drawn <- unlist(lapply(plotSelectSpeed(results), function(page) unique(as.character(page$data$column))))
stopifnot(identical(drawn, sprintf("column%02d", 1:20)))

cat("However little there is, it can be drawn\n")
one <- results[column == "column01" & jvm == "fresh"]
# All others are slower and larger than the baseline, and no front has two points to draw a line between.
beaten <- one[encoding %in% ENCODINGS$encoding[1:3] & selected %in% c("", "scan", "0.01")]
beaten[encoding != "druid-lz4", sizeInBytes := 1.04 * beaten[encoding == "druid-lz4"]$sizeInBytes[1]]
beaten[, c("nanosMin", "nanosMedian", "nanosMax") := lapply(c(.9, 1, 1.2), `*`, match(encoding, unique(encoding)))]
# One column has been encoded by the baseline only.
uneven <- rbind(one, results[column == "column02" & jvm == "fresh" & encoding == "druid-lz4"])
baseline <- one[encoding == "druid-lz4"]
for (part in list(beaten, uneven, one[selected == "0.01"], one[task == "encode"], baseline[selected == "scan"][1],
                  baseline[task == "encode"])) {
  pictures <- c(
    plotEncodedSize(part), plotSizeSummary(part), plotComposition(part),
    if (any(part$task == "encode")) plotEncodeSpeed(part),
    if (any(part$task == "select")) c(plotSelectSpeed(part), plotFrontier(part), plotColumns(part))
  )
  for (picture in pictures) {
    file <- file.path(root, "little.png")
    savePlot(picture, file)
    stopifnot(identical(pngSize(file), c(1500L, 1050L)))
    unlink(file)
  }
}
shown <- plotSizeSummary(uneven)[[1]][[2]]$data[, .(encodings = .N), by = column]
stopifnot(nrow(shown) == 2, shown[column == "column02"]$encodings == 1)

cat("Each query that is compared is in a picture of queries, in the order of the file; more take several pages\n")
queries <- directory("queries")
names <- sprintf("query-%02d", 1:50)
writeQueryResults(queries, ENCODINGS$encoding[1:4], names)
results50 <- readResults(resultFiles(queries))$queries
speedPages <- plotQuerySpeed(results50)
stopifnot(length(speedPages) == 2,
          identical(unlist(lapply(speedPages, function(page) unique(page$data$query))), names),
          vapply(speedPages, function(page) uniqueN(page$data$encoding), 0) == 3,
          length(plotQuerySpeed(results50[encoding == "druid-lz4"])) == 0)

cat("The frontier has no point that another one beats\n")
for (page in c(plotFrontier(results), plotFrontier(beaten))) {
  means <- page$data
  front <- Filter(function(layer) inherits(layer$geom, "GeomPoint") && identical(layer$aes_params$shape, 1),
                  page$layers)[[1]]$data
  for (p in unique(means$panel)) {
    all <- means[panel == p]
    beaten <- vapply(seq_len(nrow(all)), function(i) any(all$speed >= all$speed[i] & all$size <= all$size[i] &
                       (all$speed > all$speed[i] | all$size < all$size[i])), NA)
    stopifnot(setequal(front[panel == p]$encoding, all$encoding[!beaten]))
  }
}

cat("An encoding looks the same whatever else is there\n")
names <- c(ENCODINGS$encoding, "shapeshift-faster-middle", "shapeshift-faster-small", "something-new")
all <- encodingStyle(names)
set.seed(1)
for (i in 1:50) {
  some <- sample(names, 4)
  stopifnot(isTRUE(all.equal(encodingStyle(some), all[encoding %in% some])))
}
stopifnot(encodingStyle("druid-lz4")$colour == "#1A1A1A", !anyDuplicated(all[, .(colour, shape, linetype)]),
          !anyDuplicated(all[!grepl("-(middle|small)$|new", encoding)]$shape))

if (requireNamespace("colorspace", quietly = TRUE)) {
  cat("Colours of the common encodings differ for the colour-blind\n")
  colours <- ENCODINGS$colour[1:8]
  for (see in list(identity, colorspace::deutan, colorspace::protan, colorspace::tritan)) {
    lab <- grDevices::convertColor(t(grDevices::col2rgb(see(colours))) / 255, "sRGB", "Lab")
    cat("  least distance in CIELAB:", round(min(dist(lab)), 1), "\n")
    stopifnot(min(dist(lab)) > 10)
  }
}

cat("Whatever is wrong has its message, and leaves nothing\n")
good <- readLines(file.path(few, "column-ints-select-speed-generator.csv"))
fields <- strsplit(gsub("\"", "", good[1]), ",")[[1]]
# The file with one field of line 3 changed.
with <- function(name, value) {
  line <- strsplit(good[3], ",")[[1]]
  line[fields == name] <- value
  c(good[1:2], paste(line, collapse = ","), good[4:length(good)])
}
bad <- directory("bad")
refuse <- function(lines, message, name = "column-ints-select-speed-generator.csv", arguments = character()) {
  file <- file.path(bad, name)
  if (!is.null(lines)) writeLines(lines, file)
  out <- file.path(bad, "out")
  # A second file that is good does not help.
  run <- plotBenchmarks("--in", paste0(file, ",", file.path(few, "queries.csv")), "--out", out, arguments)
  cat("  ", run$err, "\n")
  stopifnot(run$status == 2, length(run$err) == 1, length(run$out) == 0, startsWith(run$err, "plot-benchmarks: "),
            grepl(message, run$err, fixed = TRUE), !file.exists(out), length(list.files(bad, "making")) == 0)
  unlink(file)
}
named <- function(message) paste0(file.path(bad, "column-ints-select-speed-generator.csv"), message)
refuse(NULL, named(": there is no such file"))
refuse(character(), named(": the file is empty"))
refuse(good[1], named(": a header and no rows"))
refuse(sub(",\"nanosMin\"", "", good), named(", line 1: no column 'nanosMin' in the header of a file of columns"))
refuse(sub(",rows", "", readLines(file.path(few, "queries.csv"))),
       "line 1: no column 'rows' in the header of a file of queries", "queries.csv")
refuse(c(good[1:3], substr(good[4], 1, 30)), named(", line 4: 3 fields where the header has 21"))
refuse(with("nanosMedian", "fast"), named(", line 3, column 'nanosMedian': found 'fast' where a number above 0"))
refuse(with("nanosMedian", "1"), named(", line 3, column 'nanosMedian': found '1' where a number from nanosMin"))
refuse(with("sizeInBytes", "NaN"), named(", line 3, column 'sizeInBytes': found 'NaN' where a number above 0"))
refuse(with("selectedRows", "0"), named(", line 3, column 'selectedRows': found '0'"))
refuse(with("selected", "2"), named(", line 3, column 'selected': found '2' where a share of the rows"))
refuse(with("read", "twice"), named(", line 3, column 'read': found 'twice' where one of single, positions, vector"))
refuse(with("type", "strings"), named(", line 3, column 'type': found 'strings' where one of ints, longs"))
refuse(with("encoding", ""), named(", line 3, column 'encoding': found '' where a name"))
refuse(c(good, good[2]), named(paste0(", line ", length(good) + 1, ": measures the same as")))
refuse(with("sizeInBytes", "12345678"), named(", line 7, column 'sizeInBytes': found"))
refuse(good[!grepl("druid-lz4", good)], named(": no rows of the baseline 'druid-lz4', but of shapeshift-faster"))
refuse(good, "--columns: no column 'nope' in the results; there are zipf, uniform-2",
       arguments = c("--columns", "nope"))
refuse(good, "--format is 'gif'; choose png, svg", arguments = c("--format", "gif"))
refuse(good, "--dpi is 5; choose a number from 50 to 600", arguments = c("--dpi", "5"))
refuse(good, "long flag \"nonsense\" is invalid; see --help", arguments = "--nonsense")
writeLines("{", file.path(bad, "run.json"))
refuse(good, paste0(file.path(bad, "run.json"), ": not JSON"))
unlink(file.path(bad, "run.json"))
run <- plotBenchmarks("--in", elsewhere, "--out", file.path(bad, "out"))
stopifnot(run$status == 2, grepl("no results in this directory", run$err, fixed = TRUE))
run <- plotBenchmarks("--out", file.path(bad, "out"))
stopifnot(run$status == 2, identical(run$err, "plot-benchmarks: no --in; see --help"))
run <- plotBenchmarks("--help")
stopifnot(run$status == 0, any(grepl("--baseline", run$out, fixed = TRUE)))

setwd(tempdir())
unlink(c(dirname(root), elsewhere), recursive = TRUE)
cat("All passed in", round(as.numeric(Sys.time() - started, units = "secs")), "s\n")
