#!/usr/bin/env Rscript
# SPDX-License-Identifier: Apache-2.0
# Draws the CSV file of a part of scripts/evaluate, in its directory: Rscript pictures.R PART DIR

script <- gsub("~+~", " ", sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]), fixed = TRUE)
scripts <- dirname(dirname(normalizePath(script)))
invisible(Sys.setlocale("LC_COLLATE", "C"))
if (!isTRUE(l10n_info()[["UTF-8"]])) {
  invisible(Sys.setlocale("LC_CTYPE", "C.UTF-8"))
}
source(file.path(scripts, "read-results.R"), encoding = "UTF-8")
source(file.path(scripts, "plots.R"), encoding = "UTF-8")

# As in text.py: a column that is larger by so much as plain binary counts as this in a mean.
MAX_RATIO <- 1000

# One colour for all settings of a format.
FAMILIES <- c(parquet = "#56B4E9", orc = "#0072B2", vortex = "#CC79A7", duckdb = "#B8860B", lance = "#8C6BB1",
              clickhouse = "#E69F00", pcodec = "#A6761D", tsfile = "#009E73", kuzu = "#332288",
              druid = "#6E6E6E", shapeshift = "#D55E00")

family <- function(format) factor(sub("-.*", "", format), names(FAMILIES))

familyScale <- function() scale_colour_manual(values = FAMILIES, name = NULL, guide = guide_legend(nrow = 1))

# With its index, and without, where there is one. As in ratio.py.
withVariants <- function(table) {
  indexed <- table[grepl("^shapeshift|^druid-lz4$|^druid-best$", format)]
  rbind(table, indexed[, .SD][, c("format", "bytes") := list(paste0(format, ", no index"), bytes - indexBytes)])
}

meanRatio <- function(ratio) exp(mean(log(pmin(ratio, MAX_RATIO))))

# The ratio of each column, and the mean of each format, by the kind of the columns.
plotRatio <- function(table, note) {
  table <- withVariants(table)[, ratio := plainBytes / pmax(bytes, 1)]
  # Of longs only: it has no tables that could be compared.
  table <- table[!startsWith(format, "druid-auto")]
  table[, kind := factor(kind, c("integer", "double", "string", "table"),
                         c("integers", "doubles", "strings", "whole tables"))]
  means <- table[, .(ratio = meanRatio(ratio)), by = .(kind, format)]
  order <- table[kind != "whole tables", .(ratio = meanRatio(ratio)), by = format][order(ratio)]$format
  ggplot(table, aes(pmin(ratio, MAX_RATIO), factor(format, order), colour = family(format))) +
    geom_point(size = .8, alpha = .35) +
    geom_point(data = means, size = 2.4, shape = 18) +
    geom_text(data = means, aes(x = 12 * MAX_RATIO, label = sprintf("%.2f", ratio)), size = LABEL, hjust = 1,
              colour = "#333333") +
    facet_wrap(~ kind, nrow = 1) +
    scale_x_log10(breaks = 10^(0:3)) +
    familyScale() +
    labs(title = "Compression ratio", subtitle = "plain binary to bytes; to the right is smaller", x = NULL, y = NULL,
         caption = captioned(paste0("Small points: columns or tables. Diamonds and numbers: geometric means, in which ",
                                    "a ratio above ", MAX_RATIO, " counts as this."), note)) +
    theme_benchmark()
}

# The ratio of each column of doubles in each format, beside the best of the column.
plotFloats <- function(table, note, most = 40) {
  table[, ratio := plainBytes / pmax(bytes, 1)]
  table[, best := max(ratio), by = .(table, column)]
  table[, label := paste(table, column)]
  table <- table[format != "druid-uncompressed"]
  # Those with the most distinct values, if there are more than a page has room for.
  columns <- unique(table[, .(label, distinct, decimals)])[order(-distinct)]
  shown <- head(columns, most)[order(decimals, label)]$label
  table <- table[label %in% shown]
  order <- table[, .(ratio = meanRatio(ratio)), by = format][order(-ratio)]$format
  ggplot(table, aes(factor(format, order), factor(label, shown), fill = ratio / best)) +
    geom_tile(colour = "white", linewidth = .4) +
    geom_text(aes(label = sprintf("%.3g", ratio), fontface = ifelse(ratio == best, "bold", "plain")),
              size = LABEL * .9) +
    scale_fill_gradient(low = "#FFFFFF", high = "#E69F00", limits = c(0, 1),
                        name = "share of the column's best ratio") +
    labs(title = "Compression ratio of doubles",
         subtitle = "plain binary to bytes; the more decimals a column has, the higher it stands", x = NULL, y = NULL,
         caption = captioned("Bold: the best of the column.", note)) +
    theme_benchmark() +
    theme(axis.text.x = element_text(angle = 40, hjust = 1), legend.key.width = unit(40, "pt"),
          panel.grid.major = element_blank())
}

# Time and price of a scan of all tables.
plotScanCost <- function(rows, note) {
  all <- rows[table == ""]
  all[, speed := factor(paste(gigabits, "Gbit/s"), paste(sort(unique(gigabits)), "Gbit/s"))]
  order <- unique(all[order(-bytes)]$format)
  measured <- if (all(all$bound == "network?")) "Times of the network alone: none to decode have been measured." else ""
  ggplot(all, aes(seconds, factor(format, order), colour = family(format))) +
    geom_segment(aes(x = networkSeconds, xend = seconds, yend = factor(format, order)), linewidth = .5) +
    geom_point(aes(shape = bound), size = 2) +
    facet_wrap(~ speed, nrow = 1, scales = "free_x") +
    scale_shape_manual(values = c(network = 16, "network?" = 1, processor = 17), name = NULL) +
    familyScale() +
    expand_limits(x = 0) +
    labs(title = "Time of a scan of all tables from object storage", subtitle = "to the left is faster",
         x = "seconds", y = NULL, caption = captioned(measured, note)) +
    theme_benchmark()
}

# Ratio and scan speed of each type of columns, as techniques are added one after the other.
plotForms <- function(rows, note) {
  rows <- rows[set == "" | set == "uncompressed" | startsWith(set, "+")]
  steps <- unique(rows[set != ""]$set)
  rows[, set := ifelse(set == "", "Druid's LZ4", set)]
  means <- rows[, .(ratio = meanRatio(plainBytes / bytes), speed = exp(mean(log(plainBytes / rows / nanosPerRow)))),
                by = .(type, encoding, set)]
  means <- melt(means, measure.vars = c("ratio", "speed"), variable.name = "what")
  means[, what := factor(what, c("ratio", "speed"), c("ratio of plain binary to bytes", "GB/s of plain binary"))]
  means[, type := factor(type, c("ids", "long", "double"), c("ids of strings", "longs", "doubles"))]
  stock <- means[set == "Druid's LZ4"]
  ggplot(means[set != "Druid's LZ4"], aes(factor(set, steps), value, colour = encoding, group = encoding)) +
    geom_hline(data = stock, aes(yintercept = value), colour = "#6E6E6E", linetype = "dashed") +
    geom_line(linewidth = .6) +
    geom_point(size = 1.6) +
    facet_grid(what ~ type, scales = "free_y", switch = "y") +
    scale_y_log10() +
    scale_colour_manual(values = c("#D55E00", "#0072B2"), name = NULL) +
    labs(title = "What each technique brings", subtitle = "higher is smaller, or faster", x = NULL, y = NULL,
         caption = captioned("Geometric means over columns. Dashed: Druid's LZ4.", note)) +
    theme_benchmark() +
    theme(axis.text.x = element_text(angle = 40, hjust = 1), strip.placement = "outside")
}

# Bytes lost and time saved by each sample.
plotSamples <- function(rows, note) {
  sums <- rows[, .(lost = sum(bytes) / sum(bestBytes) - 1, time = sum(selectNanos + encodeNanos)),
               by = .(encoding, selection)]
  sums[, time := time / time[selection == "all values"], by = encoding]
  ggplot(sums, aes(lost, time, colour = selection == "all values")) +
    geom_hline(yintercept = 2 / 3, linetype = "dashed", colour = "#6E6E6E") +
    geom_vline(xintercept = .005, linetype = "dashed", colour = "#6E6E6E") +
    geom_point(size = 2, show.legend = FALSE) +
    geom_text(aes(label = selection), size = LABEL, vjust = -.8, check_overlap = TRUE, show.legend = FALSE) +
    facet_wrap(~ encoding, nrow = 1) +
    scale_colour_manual(values = c("#0072B2", "#D55E00")) +
    scale_y_log10() +
    labs(title = "Selection of forms from samples", subtitle = "down is faster, to the left is smaller",
         x = "bytes above those of the best forms, as a share", y = "time to select and encode, as it is = 1",
         caption = captioned("Dashed: .5 % of the bytes and two thirds of the time.", note)) +
    theme_benchmark()
}

# Speed of each column in each format, and the mean of each format, by the kind of the columns.
plotSpeed <- function(rows, title, note) {
  rows[, speed := plainBytes / seconds / 1e9]
  rows[, kind := factor(kind, c("integer", "double", "string"), c("integers", "doubles", "strings"))]
  means <- rows[, .(speed = exp(mean(log(speed)))), by = .(kind, format)]
  order <- rows[, .(speed = exp(mean(log(speed)))), by = format][order(speed)]$format
  ggplot(rows, aes(speed, factor(format, order), colour = family(format))) +
    geom_point(size = .8, alpha = .35) +
    geom_point(data = means, size = 2.4, shape = 18) +
    geom_text(data = means, aes(x = 4 * max(rows$speed), label = sprintf("%.3g", speed)), size = LABEL, hjust = 1,
              colour = "#333333") +
    facet_wrap(~ kind, nrow = 1) +
    scale_x_log10() +
    familyScale() +
    labs(title = title, subtitle = "GB/s of plain binary and one core; to the right is faster", x = NULL, y = NULL,
         caption = captioned("Small points: columns. Diamonds and numbers: geometric means.", note)) +
    theme_benchmark()
}

plotEncodeSpeed <- function(rows, note) plotSpeed(rows, "Speed of encoding in the JVM", note)

plotDecodeSpeed <- function(rows, note) plotSpeed(rows[simd == "yes"], "Speed of decoding", note)

plain <- function(number) format(signif(number, 3), big.mark = ",", scientific = FALSE, trim = TRUE, drop0trailing = TRUE)

# Speed of loading, bytes, and times of look-ups of an index of keys.
plotKeys <- function(rows, note) {
  seconds <- function(column) fcoalesce(as.numeric(rows[[column]]), 0)
  rows[, `million keys a second, loaded` :=
         keys / 1e6 / (buildSeconds + seconds("secondSeconds") + seconds("mergeSeconds"))]
  rows[, `bytes for each key, index` := indexBytes / keys]
  rows[, `ns, an existing key` := presentNanos]
  rows[, `ns, an absent key` := absentNanos]
  rows[, `ns for each of many existing keys` := bulkPresentNanos]
  rows[, `ns for each of many absent keys` := bulkAbsentNanos]
  measures <- names(rows)[(ncol(rows) - 5):ncol(rows)]
  rows[, label := paste(format, load, sep = ", ")]
  shown <- melt(rows, id.vars = c("format", "label", "threads"), measure.vars = measures)
  ggplot(shown, aes(value, factor(label, rev(unique(rows$label))), colour = family(format), shape = factor(threads))) +
    geom_point(size = 2) +
    geom_text(aes(label = vapply(value, plain, ""), vjust = ifelse(threads == 1, -.9, 1.8)), size = LABEL,
              show.legend = FALSE) +
    facet_wrap(~ variable, nrow = 2, scales = "free_x") +
    scale_x_log10(expand = expansion(.15), labels = plain) +
    scale_shape_manual(values = c(16, 2), name = "threads") +
    familyScale() +
    labs(title = paste("Index of", formatC(rows$keys[1], format = "d", big.mark = ","), "unique random keys"),
         subtitle = "loading: to the right is faster; all others: to the left is smaller or faster", x = NULL, y = NULL,
         caption = captioned(paste("A database finds one key by a prepared statement, and many by a join, which scans.",
                                   "Ours is called in its process."), note)) +
    theme_benchmark()
}

# Times and bytes of rows in an index, and times of tasks by the heap.
plotRows <- function(rows, note) {
  limits <- c("-1" = "all in memory", "0" = "default limit")
  number <- function(column) as.numeric(rows[kind == "index"][[column]])
  alone <- function(panel, value) rows[kind == "index", .(panel, x = data, index, value, set = ifelse(
    as.logical(rollUp), "with roll-up", "without roll-up"), outcome = "done")]
  tasks <- rows[kind == "task", .(
    panel = paste0("task, s: ", data, ", ", limits[as.character(maxBytesInMemory)]),
    x = paste(heapMegabytes, "MB"), index, value = as.numeric(seconds), set = "without roll-up", outcome)]
  panels <- list(alone("µs to add an input", number("addNanosPerInput") / 1000),
                 alone("µs to persist a row", number("persistNanosPerRow") / 1000),
                 alone("ms of garbage collection", number("collectionMillisPerRound")),
                 alone("bytes for each row", number("heapBytesPerRow") + number("directBytesPerRow")), tasks)
  shown <- rbindlist(panels)
  # A cross is where the slowest is.
  shown[, value := fifelse(outcome == "done", value, max(value[outcome == "done"], 0)), by = panel]
  shown[, panel := factor(panel, unique(panel))]
  heaps <- paste(sort(unique(as.numeric(rows[kind == "task"]$heapMegabytes))), "MB")
  beside <- position_dodge(width = .6)
  ggplot(shown, aes(factor(x, c(unique(rows[kind == "index"]$data), heaps)), value, colour = index)) +
    geom_point(aes(shape = ifelse(outcome == "done", set, "out of memory, or too slow")), size = 2, position = beside) +
    facet_wrap(~ panel, nrow = 2, scales = "free") +
    expand_limits(y = 0) +
    scale_colour_manual(values = FAMILIES[c("druid", "shapeshift")], name = NULL) +
    scale_shape_manual(values = c("with roll-up" = 17, "without roll-up" = 16, "out of memory, or too slow" = 4),
                       name = NULL) +
    labs(title = "Rows in memory while they are ingested", subtitle = "lower is faster or smaller", x = NULL, y = NULL,
         caption = captioned(paste("Tasks: by the heap; beside it each may take", rows[kind == "task"]$directMegabytes[1],
                                   "MB of direct memory."), note)) +
    theme_benchmark() +
    theme(axis.text.x = element_text(angle = 40, hjust = 1))
}

PARTS <- list(ratio = plotRatio, forms = plotForms, samples = plotSamples, "encode-speed" = plotEncodeSpeed,
              floats = plotFloats, "decode-speed" = plotDecodeSpeed, "scan-cost" = plotScanCost, keys = plotKeys,
              rows = plotRows)

main <- function(part, directory) {
  file <- file.path(directory, paste0(part, ".csv"))
  rows <- fread(file, encoding = "UTF-8", na.strings = NULL, integer64 = "double")
  versions <- jsonlite::fromJSON(file.path(directory, "run.json"))$versions
  note <- c(provenance(file), paste(names(versions), versions, collapse = ", "))
  picture <- PARTS[[part]](rows, note)
  for (format in c("png", "svg")) {
    savePlot(picture, file.path(directory, paste0(part, ".", format)))
  }
}

arguments <- commandArgs(TRUE)
main(arguments[1], arguments[2])
