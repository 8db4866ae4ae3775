# SPDX-License-Identifier: Apache-2.0
# Results as the benchmarks write them, made up by rule for the test of the pictures: no measurements.

# Arguments: directory; type; source; columns, encodings, jvms, shares; reads among single, vector and positions.
# Writes the two CSV files of one type and source.
writeColumnResults <- function(directory, type = "ints", source = "segments", segments = "/var/segments/wikipedia",
                               columns, encodings, jvms = "fresh", shares = c("0.01", "1"), reads = "single") {
  set.seed(6016)
  rows <- 262144
  if (source == "generator") segments <- ""
  encoded <- Reduce(merge, list(data.frame(segment = segments), data.frame(column = columns),
                                data.frame(encoding = encodings)))
  bytesOf <- rows * 2^runif(length(columns), -9, 1.5)
  ratioOf <- 2^seq(-.9, .8, length.out = length(encodings))
  ratio <- ifelse(encoded$encoding == "druid-lz4", 1, ratioOf[match(encoded$encoding, encodings)])
  encoded$sizeInBytes <- round(bytesOf[match(encoded$column, columns)] * 2^rnorm(nrow(encoded), 0, .4) * ratio)
  encoded$forms <- ifelse(startsWith(encoded$encoding, "shapeshift"), "tans 13; lz4 3", "")
  tables <- list(
    encode = merge(encoded, data.frame(jvm = jvms, read = "", selected = "")),
    select = merge(encoded, merge(data.frame(jvm = jvms), do.call(rbind, lapply(reads, function(read) {
      data.frame(read = read, selected = c(single = list(c("scan", shares)), vector = "scan",
                                           positions = list(shares))[[read]])
    }))))
  )
  for (task in names(tables)) {
    table <- tables[[task]]
    share <- ifelse(table$selected %in% c("scan", ""), 1, suppressWarnings(as.numeric(table$selected)))
    speed <- match(table$encoding, encodings)
    perRow <- if (task == "encode") 9 + 3 * speed else
      (.4 + .1 * speed) * (1 + .5 * (table$read == "single") + .3 * (table$jvm == "polluted")) + .02 * speed / share
    table <- cbind(
      benchmark = "SyntheticBenchmark", type = type, task = task, source = source, table, rows = rows,
      selectedRows = if (task == "encode") "" else round(rows * share), iterations = 5,
      withTimes(perRow * rows * share, rows * share)
    )
    file <- file.path(directory, sprintf("column-%s-%s-speed-%s.csv", type, task, source))
    write.csv(table[, HEADER$columns], file, row.names = FALSE, quote = c(5, 6))
  }
}

writeQueryResults <- function(directory, encodings, queries = c("groupBy-all", "topN-tenth", "timeseries-hundredth")) {
  set.seed(6016)
  table <- merge(data.frame(query = queries), data.frame(encoding = encodings))
  table <- table[order(match(table$query, queries)), ]
  speedup <- ifelse(table$encoding == "druid-lz4", NA, 1 + .1 * match(table$encoding, encodings))
  table <- cbind(
    table, type = "groupBy", segments = 7, rows = 39244, selectedRows = round(39244 / match(table$query, queries)),
    sizeInBytes = 8e6 - 1e5 * match(table$encoding, encodings), jvms = 3, rounds = 9, withTimes(2e7, 1),
    speedup = speedup, speedupLow = speedup * .9, speedupHigh = speedup * 1.2
  )
  write.csv(table[, HEADER$queries], file.path(directory, "queries.csv"), row.names = FALSE, quote = FALSE, na = "")
}

withTimes <- function(nanos, rows) {
  nanos <- nanos * 2^rnorm(length(nanos), 0, .3)
  data.frame(nanosMedian = nanos, nanosMin = nanos * .93, nanosMax = nanos * 1.2, nanosMean = nanos * 1.02,
             nanosError = nanos * .1, nanosPerRow = nanos / rows)
}

writeRun <- function(directory) {
  writeLines('{"suite": "smoke", "commands": [], "commit": "0123456789abcdef0123", "dirty": true,
    "started": "2026-11-22T01:00:00Z", "seconds": 93.1,
    "machine": {"cpu": "Example CPU 9000", "cores": 2, "memoryBytes": 8000000000, "os": "Linux 6.1 amd64", "load": 0.3},
    "jvm": {"name": "OpenJDK 64-Bit Server VM", "version": "17.0.15+6", "options": ["-Xmx2g"]}}',
    file.path(directory, "run.json"))
}
