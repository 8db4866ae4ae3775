# SPDX-License-Identifier: Apache-2.0
# Pictures of the results of the benchmarks. To be sourced, after read-results.R, whose tables they draw:
#
#   source("scripts/read-results.R"); source("scripts/plots.R")
#   results <- readResults(resultFiles("target/benchmarks/run"))
#   print(plotSelectSpeed(results$columns[type == "ints" & source == "generator"])[[1]])
#
# of the columns of one type and source, and of one segment, as onlyOne() checks:
#   plotSelectSpeed     time to select rows, by share of rows selected
#   plotEncodedSize     encoded size of each column
#   plotEncodeSpeed     encoding speed of each column
#   plotSizeSummary     encoded size of all columns and of their total, relative to the baseline
#   plotComposition     forms of the chunks of each column
#   plotFrontier        speed against size
#   plotColumns         the first three of one column side by side, for every column
# of queries:
#   plotQuerySpeed      speed of queries end to end relative to the baseline
# of the int columns of a segment:
#   plotIntSegBench, plotIntSegSizeSummary
# and animatePlot, which makes an animation of a list of pictures.
#
# Each returns a list of pictures (ggplot or patchwork objects): as many pages as are needed for it to be legible at
# 10 x 7 inches. `baseline` is the encoding that others are compared with, and `note` the caption's last lines (see
# provenance()). All times are medians over the iterations of the benchmark; thin lines show the range from the fastest
# iteration to the slowest.

suppressPackageStartupMessages({
  library(data.table)
  library(ggplot2)
  library(patchwork)
})

# ---- Encodings: the same colour, shape and line in every picture, whatever else is in it

# Okabe and Ito's colours, which the colour-blind can tell apart, but for their yellow, which is too pale for a line.
# The grey is one that is not their purple's or green's to them.
ENCODINGS <- fread(text = "
encoding                   | colour  | shape
druid-lz4                  | #1A1A1A | 15
druid-zstd                 | #CC79A7 | 0
druid-uncompressed         | #6E6E6E | 5
druid-auto-lz4             | #56B4E9 | 2
druid-auto-zstd            | #E69F00 | 6
shapeshift-smaller         | #0072B2 | 16
shapeshift-fastbutsmallish | #D55E00 | 17
shapeshift-faster          | #009E73 | 18
form-zero                  | #808000 | 3
form-constant              | #8C6BB1 | 4
form-unencoded             | #A6761D | 8
form-bytepack              | #007A87 | 7
form-rle                   | #B2182B | 9
form-lz4                   | #6B4226 | 12
form-tans              | #B8860B | 10
form-zstd                  | #A0407A | 13
", sep = "|", strip.white = TRUE, header = TRUE)

# Arguments: encodings, their names, in any order and any number of times.
# Value: data.table(encoding, colour, shape, linetype) in the order of all pictures. Smaller blocks have a paler colour
# of the same encoding, and dashes; forms have dots. A name that is not known gets a colour of its letters.
encodingStyle <- function(encodings) {
  encodings <- sort(unique(encodings), method = "radix")
  large <- sub("^(shapeshift-.*)-(middle|small)$", "\\1", encodings)
  block <- ifelse(large == encodings, "large", sub(".*-", "", encodings))
  known <- match(large, ENCODINGS$encoding)
  hash <- vapply(large, function(name) {
    Reduce(function(h, code) (h * 31 + code) %% 65521, utf8ToInt(name), 7)
  }, 0)
  colour <- ifelse(is.na(known), grDevices::hcl(hash %% 360, 60, 50), ENCODINGS$colour[known])
  pale <- c(large = 0, middle = .3, small = .55)[block]
  colour <- mapply(function(colour, share) {
    rgb <- grDevices::col2rgb(colour)[, 1]
    grDevices::rgb(t(rgb + (255 - rgb) * share), maxColorValue = 255)
  }, colour, pale)
  shape <- ifelse(is.na(known), c(1, 11, 14, 20, 25)[hash %% 5 + 1], ENCODINGS$shape[known])
  dotted <- is.na(known) | startsWith(large, "form-")
  linetype <- ifelse(dotted, "12", c(large = "solid", middle = "62", small = "32")[block])
  style <- data.table(encoding = encodings, colour = unname(colour), shape, linetype = unname(linetype))
  style[order(known, match(block, c("large", "middle", "small")), encoding)]
}

# Scales of colour, fill, shape and line for the encodings of `shown`; their legend has as many rows as it needs.
encodingScales <- function(shown, perRow = 5) {
  style <- encodingStyle(shown)
  named <- function(column) stats::setNames(style[[column]], style$encoding)
  guide <- guide_legend(nrow = ceiling(nrow(style) / perRow), byrow = TRUE)
  list(
    scale_colour_manual(values = named("colour"), limits = style$encoding, name = NULL, guide = guide),
    scale_fill_manual(values = named("colour"), limits = style$encoding, name = NULL, guide = "none"),
    scale_shape_manual(values = named("shape"), limits = style$encoding, name = NULL, guide = guide),
    scale_linetype_manual(values = named("linetype"), limits = style$encoding, name = NULL, guide = guide)
  )
}

# ---- Style

TEXT <- 7.2  # points: the smallest text there is
LABEL <- TEXT / .pt

theme_benchmark <- function() {
  theme_bw(base_size = 9) +
    theme(
      text = element_text(colour = "#1A1A1A"),
      axis.text = element_text(size = TEXT, colour = "#333333"),
      strip.text = element_text(size = 8, margin = margin(3, 2, 3, 2)),
      strip.background = element_rect(fill = "#EFEFEF", colour = NA),
      plot.title = element_text(size = 12, face = "bold"),
      plot.title.position = "plot",
      plot.subtitle = element_text(size = 9, colour = "#333333", margin = margin(b = 6)),
      plot.caption = element_text(size = TEXT, colour = "#595959", hjust = 0, lineheight = 1.1),
      plot.caption.position = "plot",
      legend.position = "bottom",
      legend.text = element_text(size = 8),
      legend.key.width = unit(22, "pt"),
      legend.key.height = unit(11, "pt"),
      legend.spacing.y = unit(2, "pt"),
      legend.margin = margin(0, 0, 0, 0),
      panel.grid.minor = element_blank(),
      panel.grid.major = element_line(colour = "#E3E3E3", linewidth = .3),
      panel.border = element_rect(colour = "#BBBBBB"),
      plot.margin = margin(8, 12, 6, 8)
    )
}

# Bars name their encodings beside them, and need no lines between.
theme_bars <- function() theme(legend.position = "none", panel.grid.major.y = element_blank())

# Few bars are not as thick as the page allows.
barWidth <- function(encodings) min(.75, .2 * length(unique(encodings)))

captioned <- function(...) {
  lines <- c(...)
  paste(unlist(lapply(lines[lines != ""], strwrap, width = 165)), collapse = "\n")
}

inUnits <- function(number, units) {
  step <- pmin(pmax(floor(log10(signif(number, 3)) / 3), 0), length(units) - 1)
  paste(formatC(signif(number / 1000^step, 3), digits = 3, format = "fg", flag = "#", drop0trailing = FALSE) |>
          sub(pattern = "[.]$", replacement = ""), units[step + 1])
}

# Three digits that mean something: "0.25 ns", "12.3 \u00b5s", "1,234 ms" is "1230 ms".
formatNanos <- function(nanos) inUnits(nanos, c("ns", "\u00b5s", "ms"))
formatBytes <- function(bytes) ifelse(bytes < 1000, paste(round(bytes), "B"), inUnits(bytes, c("B", "kB", "MB")))
formatRatio <- function(ratio) {
  sub("[.]$", "", formatC(signif(ratio, 3), digits = 3, format = "fg", flag = "#"))
}
plain <- function(number) vapply(number, format, "", scientific = FALSE, trim = TRUE, drop0trailing = TRUE, digits = 4)
axisUnits <- function(units) {
  function(number) {
    step <- pmin(pmax(floor(log10(number * 1.001) / 3), 0), length(units) - 1)
    ifelse(is.na(number), NA, paste(plain(number / 1000^step), units[step + 1]))
  }
}
axisNanos <- axisUnits(c("ns", "\u00b5s", "ms"))
axisRatio <- function(ratio) ifelse(is.na(ratio), NA, paste0(plain(ratio), "\u00d7"))
percent <- function(share) paste0(plain(100 * share), "%", recycle0 = TRUE)

# Breaks of a logarithmic axis: as many round numbers as `most`, or only every so many powers of ten.
breaksLog <- function(most) {
  function(limits) {
    powers <- seq(floor(log10(limits[1])), ceiling(log10(limits[2])))
    within <- function(breaks) breaks[breaks >= limits[1] & breaks <= limits[2]]
    for (digits in list(c(1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), c(1, 1.5, 2, 3, 5, 7), c(1, 2, 5))) {
      breaks <- within(as.vector(outer(digits, 10^powers)))
      if (length(breaks) <= most) {
        return(breaks)
      }
    }
    within(10^powers[powers %% ceiling(length(powers) / most) == 0])
  }
}

# Names that do not fit keep their beginning and their end.
shorten <- function(name, length = 30) {
  long <- nchar(name) > length
  name[long] <- paste0(substr(name[long], 1, ceiling(length / 2) - 1), "\u2026",
                       substring(name[long], nchar(name[long]) - floor(length / 2) + 1))
  name
}

# ---- What the pictures share

# The one type, source and segment of a table of columns, in words.
onlyOne <- function(columns) {
  subject <- unique(columns[, .(type, source, segment)])
  if (nrow(subject) != 1) {
    badInput(nrow(subject), " types, sources or segments in the rows of one picture; choose one, ",
             "such as columns[type == \"ints\" & source == \"generator\"]")
  }
  what <- c(ints = "int", longs = "long", floats = "float", doubles = "double")[[subject$type]]
  list(columns = paste(what, "columns"), column = paste(what, "column"),
       from = if (subject$source == "generator") "generated values" else
         paste("segment", shorten(subject$segment, 90)))
}

# Rows and vectors, in a fresh and in a polluted JVM: what a panel of times is of, in two lines.
variants <- function(read, selected, jvm) {
  mode <- ifelse(read == "single", "row by row", "in vectors")
  label <- paste0(mode, "\n", jvm, " JVM")
  factor(label, intersect(paste0(rep(c("row by row", "in vectors"), 2), "\n", rep(c("fresh", "polluted"), each = 2),
                                 " JVM"), label))
}

oneLine <- function(label) sub("\n", ", ", label)

# As few pages as `size` allows, of about the same length.
pages <- function(items, size) {
  items <- unique(items)
  count <- ceiling(length(items) / size)
  unname(split(items, ceiling(seq_along(items) * count / length(items))))
}

numbered <- function(title, page, count) if (count == 1) title else sprintf("%s (%d of %d)", title, page, count)

# Columns of panels that leave few holes in the last row.
panelColumns <- function(count) {
  if (count <= 3) count else if (count == 4) 2 else if (count %in% c(5, 6, 9)) 3 else 4
}

needBaseline <- function(base, baseline, table) {
  if (nrow(base) == 0) {
    badInput(table$file[1], ": no rows of the baseline '", baseline, "', but of ",
             paste(unique(table$encoding), collapse = ", "), "; measure it too, or choose another with --baseline")
  }
}

# Only the columns that the baseline was measured for, with its time and size as `baseNanos` and `baseBytes`.
besideBaseline <- function(columns, baseline) {
  by <- c("task", "column", "jvm", "read", "selected")
  base <- columns[encoding == baseline, c(by, "nanosMedian", "sizeInBytes"), with = FALSE]
  needBaseline(base, baseline, columns)
  setnames(base, c("nanosMedian", "sizeInBytes"), c("baseNanos", "baseBytes"))
  columns[base, on = by]
}

# Sizes, once for each column and encoding.
encodedSizes <- function(columns, baseline) {
  sizes <- unique(columns[, .(column, encoding, bytes = sizeInBytes)])
  base <- sizes[encoding == baseline, .(column, baseBytes = bytes)]
  needBaseline(base, baseline, columns)
  sizes[base, on = "column"][, ratio := bytes / baseBytes][]
}

# A mean or a total is of all columns of the baseline, or it would compare what is not the same.
ofAllColumns <- function(table, by = character()) {
  counted <- table[, .(count = uniqueN(column)), by = c(by, "encoding")]
  counted[, all := max(count), by = by][count == all]
}

missingNote <- function(all, complete, what) {
  left <- setdiff(all, complete)
  if (length(left) == 0) "" else paste0(what, " without ", paste(encodingStyle(left)$encoding, collapse = ", "),
                                        ": not measured for all columns.")
}

RANGE_NOTE <- "Points: median of the iterations; thin lines: fastest to slowest iteration."

# ---- Time to select rows

# NA for scans.
shareOf <- function(selected) as.numeric(replace(selected, selected == "scan", NA))

# Where the shares of rows stand on a logarithmic axis, and scans, which are apart from them.
shareAxis <- function(selected) {
  shares <- sort(unique(as.numeric(selected[selected != "scan"])))
  at <- log10(shares)
  width <- if (length(at) > 1) diff(range(at)) else 1
  scan <- if (!"scan" %in% selected) NULL else if (length(at) == 0) 0 else max(at) + .27 * width
  # Labels that would touch are left out, those between powers of ten first.
  labelled <- numeric()
  for (x in at[order(abs(at - round(at)) > 1e-9, -at)]) {
    if (all(abs(x - labelled) > .14 * width)) labelled <- c(labelled, x)
  }
  # A label in the middle of its place is not cut at the edge.
  margin <- (if (!is.null(scan)) .04 else if (length(at) > 1) .15 else .5) * width
  list(
    x = function(selected, rank) {
      # Scans of several encodings stand side by side.
      ifelse(selected == "scan", scan + rank * .12 * width, log10(shareOf(selected)))
    },
    layers = list(
      scale_x_continuous(breaks = c(sort(labelled), scan),
                         labels = c(percent(10^sort(labelled)), if (!is.null(scan)) "scan"),
                         limits = c(min(at, scan - .16 * width) - margin, max(at, scan + .16 * width) + margin)),
      if (!is.null(scan) && length(at) > 0) {
        geom_vline(xintercept = scan - .17 * width, colour = "#999999", linewidth = .3, linetype = "22")
      }
    )
  )
}

selectLayers <- function(select, axis, encodings, limits = NULL) {
  style <- encodingStyle(encodings)
  rank <- (match(select$encoding, style$encoding) - .5) / nrow(style) * 2 - 1
  select <- copy(select)[, `:=`(
    x = axis$x(selected, rank), y = nanosMedian / selectedRows, yMin = nanosMin / selectedRows,
    yMax = nanosMax / selectedRows, variant = variants(read, selected, jvm)
  )]
  ggplot(select, aes(x, y, colour = encoding, shape = encoding, linetype = encoding)) +
    axis$layers +
    geom_linerange(aes(ymin = yMin, ymax = yMax), linetype = "solid", linewidth = .35, alpha = .6,
                   show.legend = FALSE) +
    geom_line(data = select[selected != "scan"], aes(group = encoding), linewidth = .5) +
    geom_point(size = 1.7, stroke = .6) +
    scale_y_log10(labels = axisNanos, breaks = breaksLog(6), limits = limits) +
    encodingScales(encodings) +
    labs(x = "share of rows selected", y = "time per selected row") +
    theme_benchmark()
}

# Time to select rows, per row that is selected, by share of rows selected; one panel per column, kind of read and JVM.
# Per row rather than per pass: the lines of a picture then stay within two or three decades, not six, and the distance
# between two of them is the same.
# Arguments: columns, rows of one type, source and segment; note. Value: list of pages.
plotSelectSpeed <- function(columns, note = "") {
  subject <- onlyOne(columns)
  select <- columns[task == "select"]
  axis <- shareAxis(select$selected)
  kinds <- levels(variants(select$read, select$selected, select$jvm))
  split <- pages(select$column, if (length(kinds) == 1) 12 else 4)
  lapply(seq_along(split), function(page) {
    part <- select[column %in% split[[page]]][, column := factor(column, split[[page]])]
    plot <- selectLayers(part, axis, select$encoding)
    names <- labeller(column = shorten)
    plot <- plot + if (length(kinds) == 1) {
      facet_wrap(vars(column), ncol = panelColumns(length(split[[page]])), labeller = names)
    } else if (nrow(unique(plot$data[, .(column, variant)])) == length(kinds) * length(split[[page]])) {
      facet_grid(vars(variant), vars(column), labeller = names)
    } else {
      facet_wrap(vars(column, variant), labeller = names)
    }
    plot + labs(
      title = numbered(paste("Time to select rows of", subject$columns), page, length(split)),
      subtitle = paste0(subject$from, if (length(kinds) == 1) paste0("; ", oneLine(kinds)), "; lower is faster"),
      caption = captioned(RANGE_NOTE, note)
    )
  })
}

# ---- Bars of size and of encoding speed

# Arguments: sizes; order of the bars from above; room for the labels, relative to the longest bar.
sizeLayers <- function(sizes, order = encodingStyle(sizes$encoding)$encoding, room = .95) {
  ggplot(sizes, aes(ratio, encoding, fill = encoding)) +
    geom_vline(xintercept = 1, colour = "#1A1A1A", linewidth = .3) +
    geom_col(width = barWidth(sizes$encoding)) +
    geom_text(aes(x = Inf, label = paste0(formatBytes(bytes), "  ", formatRatio(ratio), "\u00d7 ")), hjust = 1,
              size = LABEL, colour = "#1A1A1A") +
    scale_x_continuous(labels = axisRatio, breaks = scales::breaks_extended(4),
                       limits = function(limits) c(0, max(limits, 1)), expand = expansion(mult = c(0, room))) +
    scale_y_discrete(limits = rev(order)) +
    encodingScales(sizes$encoding) +
    labs(x = NULL, y = NULL) +
    theme_benchmark() +
    theme_bars()
}

# Encoded size of each column by encoding: bars relative to the baseline, labelled with the size and the ratio.
# Arguments: columns, rows of one type, source and segment; baseline; note. Value: list of pages.
plotEncodedSize <- function(columns, baseline = "druid-lz4", note = "") {
  subject <- onlyOne(columns)
  sizes <- encodedSizes(columns, baseline)
  split <- pages(sizes$column, 12)
  lapply(seq_along(split), function(page) {
    part <- sizes[column %in% split[[page]]][, column := factor(column, split[[page]])]
    sizeLayers(part) +
      facet_wrap(vars(column), ncol = panelColumns(length(split[[page]])), scales = "free_x",
                 labeller = labeller(column = shorten)) +
      labs(title = numbered(paste("Encoded size of", subject$columns), page, length(split)),
           subtitle = paste0(subject$from, "; shorter is smaller"), x = paste("size relative to", baseline),
           caption = captioned("Each panel has its own scale; the line marks the baseline.", note))
  })
}

speedLayers <- function(encode) {
  ggplot(encode, aes(baseNanos / nanosMedian, encoding, fill = encoding)) +
    geom_col(width = barWidth(encode$encoding)) +
    geom_linerange(aes(xmin = baseNanos / nanosMax, xmax = baseNanos / nanosMin), linewidth = .4, colour = "#777777") +
    geom_vline(xintercept = 1, colour = "#1A1A1A", linewidth = .3) +
    geom_text(aes(x = Inf, label = paste0(formatNanos(nanosMedian), "  ", formatRatio(baseNanos / nanosMedian),
                                          "\u00d7 ")), hjust = 1, size = LABEL, colour = "#1A1A1A") +
    expand_limits(x = c(.5, 2)) +
    scale_x_log10(labels = axisRatio, breaks = breaksLog(7), expand = expansion(mult = c(.05, .95))) +
    scale_y_discrete(limits = rev(encodingStyle(encode$encoding)$encoding)) +
    encodingScales(encode$encoding) +
    labs(x = NULL, y = NULL) +
    theme_benchmark() +
    theme_bars()
}

# Encoding speed of each column by encoding: bars relative to the baseline, to the right where the encoding is faster;
# labelled with the time to encode the column and the ratio.
# Arguments: columns, rows of one type, source and segment; baseline; note. Value: list of pages.
plotEncodeSpeed <- function(columns, baseline = "druid-lz4", note = "") {
  subject <- onlyOne(columns)
  encode <- besideBaseline(columns[task == "encode"], baseline)
  jvms <- unique(encode$jvm)
  encode[, panel := if (length(jvms) == 1) shorten(column) else paste0(shorten(column), "\n", jvm, " JVM")]
  split <- pages(encode$panel, 12)
  lapply(seq_along(split), function(page) {
    part <- encode[panel %in% split[[page]]][, panel := factor(panel, split[[page]])]
    speedLayers(part) +
      facet_wrap(vars(panel), ncol = panelColumns(length(split[[page]]))) +
      labs(title = numbered(paste("Encoding speed of", subject$columns), page, length(split)),
           subtitle = paste0(subject$from, if (length(jvms) == 1) paste0("; ", jvms, " JVM"),
                             "; to the right is faster"),
           x = paste("times as fast as", baseline),
           caption = captioned(sub("Points", "Bars", RANGE_NOTE), note))
  })
}

# ---- One column: speed beside size

# For every column: the time to select rows beside bars of encoded size and, where it was measured, of encoding speed.
# Arguments: columns, rows of one type, source and segment, of task select and, if there are, encode; baseline; note.
# Value: list of pictures, named by column, with the same axis of time, so that they can be compared and animated.
plotColumns <- function(columns, baseline = "druid-lz4", note = "") {
  subject <- onlyOne(columns)
  select <- columns[task == "select"]
  encode <- columns[task == "encode"]
  if (nrow(encode) > 0) encode <- besideBaseline(encode, baseline)
  sizes <- encodedSizes(columns, baseline)
  axis <- shareAxis(select$selected)
  limits <- range(select$nanosMin / select$selectedRows, select$nanosMax / select$selectedRows)
  names <- intersect(unique(select$column), sizes$column)
  lapply(stats::setNames(names, names), function(name) {
    speed <- selectLayers(select[column == name], axis, select$encoding, limits)
    count <- nlevels(speed$data$variant)
    speed <- speed + facet_wrap(vars(variant), ncol = if (count <= 2) 1 else 2, labeller = as_labeller(oneLine))
    size <- sizeLayers(sizes[column == name]) + facet_wrap(vars("encoded size")) +
      labs(x = paste("relative to", baseline))
    bars <- size
    if (nrow(encode[column == name]) > 0) {
      bars <- size / (speedLayers(encode[column == name]) +
                        facet_wrap(vars(paste0("encoding speed, ", jvm, " JVM")), ncol = 1) +
                        labs(x = paste("times as fast as", baseline)))
    }
    wrap_plots(speed, bars, widths = c(1.25, 1)) + plot_layout(guides = "collect") +
      plot_annotation(
        title = paste0(shorten(name, 60), ": time to select rows, and encoded size"),
        subtitle = paste0(subject$column, ", ", format(select[column == name]$rows[1], big.mark = ","), " rows; ",
                          subject$from),
        caption = captioned(RANGE_NOTE, note), theme = theme_benchmark()
      )
  })
}

# ---- All columns

# Encoded size of the total of all columns, as bars, and of each column, as points, relative to the baseline; ordered
# by size, the column that shrinks most first.
# Arguments: columns, rows of one type, source and segment; baseline; note. Value: list of pages.
plotSizeSummary <- function(columns, baseline = "druid-lz4", note = "") {
  subject <- onlyOne(columns)
  sizes <- encodedSizes(columns, baseline)
  complete <- ofAllColumns(sizes)$encoding
  total <- sizes[encoding %in% complete, .(column = "total", bytes = sum(bytes), baseBytes = sum(baseBytes)),
                 by = encoding][, ratio := bytes / baseBytes]
  best <- sizes[, .(best = min(if (.N > 1) ratio[encoding != baseline] else ratio), baseBytes = baseBytes[1]),
                by = column][order(best, column)]
  best[, label := paste0(shorten(column), "  ", formatBytes(baseBytes))]
  split <- pages(best$column, 30)
  lapply(seq_along(split), function(page) {
    part <- sizes[best[column %in% split[[page]]], on = "column"][, label := factor(label, rev(unique(label)))]
    dots <- ggplot(part, aes(ratio, label, colour = encoding, shape = encoding)) +
      geom_vline(xintercept = 1, colour = "#1A1A1A", linewidth = .3) +
      geom_point(size = 2, stroke = .7) +
      expand_limits(x = c(.8, 1.25)) +
      scale_x_log10(labels = axisRatio, breaks = breaksLog(8)) +
      encodingScales(sizes$encoding) +
      labs(x = paste("size relative to", baseline), y = NULL) +
      facet_wrap(vars(paste("each column, with its size in", baseline))) +
      theme_benchmark()
    count <- uniqueN(sizes$column)
    bars <- sizeLayers(total, total[order(bytes), encoding], .25) +
      facet_wrap(vars(if (count == 1) "one column" else paste("total of", count, "columns")))
    wrap_plots(bars, dots, ncol = 1, heights = c(1 + nrow(total), 3 + length(split[[page]]))) +
      plot_annotation(
        title = numbered(paste("Encoded size of", subject$columns, "relative to", baseline), page, length(split)),
        subtitle = paste0(subject$from, "; further left is smaller"),
        caption = captioned(missingNote(sizes$encoding, complete, "The total is"), note), theme = theme_benchmark()
      )
  })
}

# Forms of the chunks of each column, as shares of its chunks, by shape-shifting encoding.
# Arguments: columns, rows of one type, source and segment; note. Value: list of pages; empty if nothing shape-shifts.
plotComposition <- function(columns, note = "") {
  subject <- onlyOne(columns)
  encoded <- columns[grepl("^shapeshift", encoding) & forms != "", .(forms = forms[1]), by = .(column, encoding)]
  if (nrow(encoded) == 0) return(list())
  chunks <- encoded[, .(chunks = unlist(strsplit(forms, "; ", fixed = TRUE))), by = .(column, encoding)]
  chunks[, `:=`(form = sub(" .*", "", chunks), count = as.numeric(sub(".* ", "", chunks)))]
  chunks[, share := count / sum(count), by = .(column, encoding)]
  frequent <- chunks[, .(count = sum(count)), by = form][order(-count, form)]$form
  chunks[, form := factor(form, rev(frequent))]
  colours <- stats::setNames(grDevices::hcl.colors(length(frequent), "Set 3"), frequent)
  split <- pages(encoded$column, 12)
  lapply(seq_along(split), function(page) {
    part <- chunks[column %in% split[[page]]][, column := factor(column, split[[page]])]
    ggplot(part, aes(share, encoding, fill = form)) +
      geom_col(width = barWidth(part$encoding), colour = "#FFFFFF", linewidth = .2) +
      geom_text(aes(label = fifelse(share < .25, "", as.character(form))), position = position_stack(vjust = .5),
                size = LABEL, colour = "#1A1A1A") +
      scale_x_continuous(labels = percent, breaks = c(.25, .5, .75), expand = expansion()) +
      scale_y_discrete(limits = rev(encodingStyle(chunks$encoding)$encoding)) +
      scale_fill_manual(values = colours, breaks = frequent) +
      facet_wrap(vars(column), ncol = panelColumns(length(split[[page]])), labeller = labeller(column = shorten)) +
      labs(title = numbered(paste("Forms of", subject$columns), page, length(split)), subtitle = subject$from,
           x = "share of the column's chunks", y = NULL, fill = NULL, caption = captioned("", note)) +
      theme_benchmark() +
      theme(panel.grid.major.y = element_blank())
  })
}

geometricMean <- function(ratio) exp(mean(log(ratio)))

# Speed against size, both relative to the baseline: to the right is faster, and further down is smaller. A large point
# is the geometric mean of all columns in one encoding, and faint ones are its columns. Rings and a line mark the Pareto
# front: the encodings to which no other is both faster and smaller.
# Arguments: columns, rows of one type, source and segment, of task select; baseline; note. Value: list of pages.
plotFrontier <- function(columns, baseline = "druid-lz4", note = "") {
  subject <- onlyOne(columns)
  select <- besideBaseline(columns[task == "select"], baseline)
  select[, `:=`(speed = baseNanos / nanosMedian, size = sizeInBytes / baseBytes)]
  order <- unique(select[, .(jvm, read, selected)])[
    order(jvm, read != "single", selected == "scan", shareOf(selected))]
  order[, panel := paste0(fifelse(selected == "scan", "scan", paste(percent(shareOf(selected)), "of rows")), ", ",
                          c(single = "row by row", vector = "in vectors", positions = "by positions")[read], "\n",
                          jvm, " JVM")]
  select <- select[order, on = c("jvm", "read", "selected")]
  complete <- ofAllColumns(select, "panel")[, .(panel, encoding)]
  means <- select[complete, on = c("panel", "encoding")][
    , .(speed = geometricMean(speed), size = geometricMean(size)), by = .(panel, encoding)]
  # From the fastest to the slowest, those that are smaller than all that are faster.
  front <- means[order(-speed, size), .SD[size < shift(cummin(size), fill = Inf)], by = panel]
  counts <- select[, uniqueN(column), by = panel]$V1
  count <- max(counts)
  # In some panels there may be fewer columns, or an encoding not of all of them.
  dropped <- fsetdiff(unique(select[, .(panel, encoding)]), complete)$encoding
  split <- pages(order$panel, 8)
  lapply(seq_along(split), function(page) {
    on <- function(table) table[panel %in% split[[page]]][, panel := factor(panel, split[[page]])]
    ggplot(on(means), aes(speed, size, colour = encoding, shape = encoding)) +
      geom_hline(yintercept = 1, colour = "#777777", linewidth = .3, linetype = "22") +
      geom_vline(xintercept = 1, colour = "#777777", linewidth = .3, linetype = "22") +
      (if (count > 1) geom_point(data = on(select), size = 1, alpha = .3, show.legend = FALSE)) +
      geom_step(data = on(front[, .SD[.N > 1], by = panel]), aes(group = panel), colour = "#4D4D4D",
                linewidth = .5, direction = "vh") +
      geom_point(data = on(front), shape = 1, size = 4.6, stroke = .5, colour = "#4D4D4D", show.legend = FALSE) +
      geom_point(size = 2.4, stroke = .9) +
      expand_limits(x = c(.8, 1.25), y = c(.8, 1.25)) +
      scale_x_log10(labels = axisRatio, breaks = breaksLog(5)) +
      scale_y_log10(labels = axisRatio, breaks = breaksLog(6)) +
      encodingScales(select$encoding) +
      facet_wrap(vars(panel), ncol = panelColumns(length(split[[page]]))) +
      labs(title = numbered(paste("Speed against size of", subject$columns), page, length(split)),
           subtitle = paste0(subject$from, "; right is faster, down is smaller"),
           x = paste("times as fast as", baseline), y = paste("size relative to", baseline),
           caption = captioned(
             if (count > 1) {
               paste0("Large points: geometric mean of ", paste(unique(range(counts)), collapse = " to "),
                      " columns; faint points: the columns. ",
                      "Rings and line: Pareto front of the means.")
             } else "Rings and line: Pareto front.",
             missingNote(select$encoding, setdiff(select$encoding, dropped), "Means are"), note)) +
      theme_benchmark()
  })
}

# ---- Queries

# How many times as fast as the baseline each query is: the median over the rounds, and what half of them are between.
# Beside its name are the share of rows that its filter lets through, and the time that it takes with the baseline.
# Arguments: queries; note. Value: list of pages, none where nothing was measured but the baseline.
plotQuerySpeed <- function(queries, note = "") {
  # What is measured in turns has been compared where it was measured.
  base <- queries[is.na(speedup)]
  needBaseline(base, "druid-lz4", queries)
  baseline <- base$encoding[1]
  compared <- queries[!is.na(speedup)]
  if (nrow(compared) == 0) {
    return(list())
  }
  base[, label := paste0(shorten(query, 40), "  ", percent(signif(selectedRows / rows, 2)), "  ",
                         formatNanos(nanosMedian))]
  beside <- position_dodge(.6)
  split <- pages(base$query, 30)
  lapply(seq_along(split), function(page) {
    shown <- base[query %in% split[[page]], .(query, label)]
    part <- compared[shown, on = "query", nomatch = NULL]
    ggplot(part, aes(speedup, label, colour = encoding, shape = encoding)) +
      geom_vline(xintercept = 1, colour = "#1A1A1A", linewidth = .3) +
      geom_linerange(aes(xmin = speedupLow, xmax = speedupHigh), position = beside, linewidth = .4, alpha = .6,
                     show.legend = FALSE) +
      geom_point(position = beside, size = 1.9, stroke = .6) +
      expand_limits(x = c(.8, 1.25)) +
      scale_x_log10(labels = axisRatio, breaks = breaksLog(8)) +
      scale_y_discrete(limits = rev(shown$label)) +
      encodingScales(compared$encoding) +
      labs(title = numbered("Speed of queries", page, length(split)),
           subtitle = paste0(format(queries$rows[1], big.mark = ","), " rows; to the right is faster"),
           x = paste("times as fast as", baseline), y = NULL,
           caption = captioned(paste0("Points: median of the rounds; thin lines: half of the rounds. Beside the names: ",
                                      "rows selected, and the time with ", baseline, "."), note)) +
      theme_benchmark()
  })
}

# ---- The int columns of a segment, and animations

# Arguments, as in Druid pull request #6016: selectSpeed and encodeSpeed, results of reading and of encoding (`columns`
# of readResults(); one table may have both); rows of the segment, where the tables have several.
intSegment <- function(selectSpeed, encodeSpeed = NULL, rows = NULL) {
  columns <- rbind(selectSpeed, encodeSpeed)
  wanted <- rows
  columns[type == "ints" & source == "segments" & (is.null(wanted) | columns$rows %in% wanted)]
}

# plotColumns of the int columns of a segment.
plotIntSegBench <- function(selectSpeed, encodeSpeed = NULL, rows = NULL, ...) {
  plotColumns(intSegment(selectSpeed, encodeSpeed, rows), ...)
}

# plotSizeSummary of the int columns of a segment.
plotIntSegSizeSummary <- function(selectSpeed, encodeSpeed = NULL, rows = NULL, ...) {
  plotSizeSummary(intSegment(selectSpeed, encodeSpeed, rows), ...)
}

# Makes an animated GIF of pictures, one frame for each, over and over.
# Arguments: plots, a list of pictures; file; seconds that each is shown; width and height in inches; dpi.
# Value: file.
animatePlot <- function(plots, file, seconds = 2, width = 10, height = 7, dpi = 110) {
  directory <- tempfile("frames")
  dir.create(directory)
  on.exit(unlink(directory, recursive = TRUE))
  frames <- file.path(directory, sprintf("%05d.png", seq_along(plots)))
  for (i in seq_along(plots)) {
    savePlot(plots[[i]], frames[i], width, height, dpi)
  }
  animation <- magick::image_animate(magick::image_read(frames), delay = round(seconds * 100), optimize = TRUE)
  magick::image_write(animation, file, format = "gif")
}

# Writes a picture. Arguments: plot; file, whose ending, png or svg, is the format; width and height in inches; dpi.
# Value: file.
savePlot <- function(plot, file, width = 10, height = 7, dpi = 150) {
  if (endsWith(file, ".svg")) {
    svglite::svglite(file, width = width, height = height)
  } else {
    grDevices::png(file, width = width, height = height, units = "in", res = dpi, type = "cairo")
  }
  device <- grDevices::dev.cur()
  on.exit(grDevices::dev.off(device))
  # That a line of one point is none needs no saying.
  suppressMessages(print(plot))
  invisible(file)
}
