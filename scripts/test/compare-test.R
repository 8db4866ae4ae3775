#!/usr/bin/env Rscript
# SPDX-License-Identifier: Apache-2.0
# Tests scripts/compare-benchmarks on made-up results, as it is called, and its statistics on made-up noise.
# Usage: Rscript scripts/test/compare-test.R

started <- Sys.time()
self <- gsub("~+~", " ", sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]), fixed = TRUE)
scripts <- dirname(dirname(normalizePath(self)))
source(file.path(scripts, "compare-runs.R"), encoding = "UTF-8")

root <- file.path(tempfile("compare-test"), "a space")
dir.create(root, recursive = TRUE)

# ---- Made-up results

# A result of JMH. Arguments: benchmark; params; forks, a list of vectors of nanoseconds; bytes, NULL for none.
result <- function(benchmark, params, forks, bytes = NULL) {
  list(benchmark = paste0("org.example.", benchmark), mode = "avgt", threads = 1, warmupIterations = 1,
       warmupTime = "1 s", measurementIterations = 5, measurementTime = "1 s", params = params,
       primaryMetric = list(scoreUnit = "ns/op", rawData = lapply(forks, as.list)),
       secondaryMetrics = if (is.null(bytes)) list() else list(sizeInBytes = list(score = bytes)))
}
directory <- function(name, ...) {
  path <- file.path(root, name)
  unlink(path, recursive = TRUE)
  dir.create(path)
  writeLines(jsonlite::toJSON(list(...), auto_unbox = TRUE, digits = NA), file.path(path, "results.json"))
  path
}
writeRun <- function(path, cpu, commit, dirty = FALSE) {
  run <- list(commit = commit, dirty = dirty, machine = list(cpu = cpu, cores = 2, os = "Linux"),
              jvm = list(name = "OpenJDK", version = "17", options = list("-Xmx2g", "-Da=b")))
  writeLines(jsonlite::toJSON(run, auto_unbox = TRUE), file.path(path, "run.json"))
}
compare <- function(...) {
  out <- tempfile()
  err <- tempfile()
  status <- system2(file.path(scripts, "compare-benchmarks"), shQuote(c(...)), stdout = out, stderr = err)
  list(status = status, out = readLines(out), err = readLines(err))
}
says <- function(run, pattern) any(grepl(pattern, run$out))

TEN <- list(c(10, 10.1), c(10.1, 10.2), c(9.9, 10))
TWENTY <- lapply(TEN, `*`, 2)
X <- list(encoding = "x", selected = "0.1")

cat("What takes twice as long is slower, what takes half as long is faster, and the same is neither\n")
ten <- directory("ten", result("A.read", X, TEN, 1000))
twenty <- directory("twenty", result("A.read", X, TWENTY, 1000))
slower <- compare(ten, twenty)
stopifnot(slower$status == 1, says(slower, "^slower +2[.]000 .* A[.]read +encoding=x selected=0[.]1$"),
          says(slower, "^A +1 +2[.]000$"), says(slower, "^x +1 +2[.]000$"), !says(slower, "^Sizes"))
faster <- compare(twenty, ten)
stopifnot(faster$status == 0, says(faster, "^faster +0[.]500"))
same <- compare(ten, ten)
stopifnot(same$status == 0, says(same, "^Of 1 that both measured: 0 slower, 0 perhaps slower"))
stopifnot(compare(ten, twenty, "--threshold", "1.5")$status == 0)

cat("One byte more is larger, and a size that many share is told once\n")
more <- compare(ten, directory("more", result("A.read", X, TEN, 1001)))
stopifnot(more$status == 1, says(more, "^larger +1[.]001 +1,000 +1,001 +1 +encoding=x selected=0[.]1$"))
sized <- function(name, bytes) {
  directory(name, result("A.read", X, TEN, bytes), result("A.read", list(encoding = "x", selected = "1"), TEN, bytes))
}
less <- compare(sized("fifty", 50), sized("forty", 40))
stopifnot(less$status == 0, says(less, "^smaller +0[.]800 +50 +40 +2 +encoding=x$"))

cat("Pairs have the same benchmark and parameters, in whatever order; what has none is listed\n")
old <- directory("old", result("A.read", X, TEN), result("A.read", list(encoding = "y"), TEN),
                 result("A.encode", NULL, TEN))
new <- directory("new", result("B.read", X, TEN), result("A.read", rev(X), TEN))
compared <- compareRuns(readRun(old), readRun(new))
stopifnot(compared$pairs$params == "encoding=x selected=0.1", compared$onlyNew$benchmark == "B.read",
          setequal(compared$onlyOld$benchmark, c("A.read", "A.encode")))
stopifnot(says(compare(old, new), "^Only in old, 2 in number"))

cat("Means are geometric, by class and by encoding\n")
four <- function(name, times) {
  do.call(directory, c(list(name), Map(function(benchmark, encoding, nanos) {
    result(benchmark, if (encoding != "") list(encoding = encoding), list(nanos, nanos))
  }, c("A.read", "A.read", "B.read", "B.build"), c("x", "y", "y", ""), times, USE.NAMES = FALSE)))
}
means <- compareRuns(readRun(four("four", c(10, 10, 10, 10))), readRun(four("others", c(20, 80, 5, 10))))$pairs
byClass <- meansTable(means, sub("[.].*", "", means$benchmark))
stopifnot(identical(byClass$name, c("A", "B")), byClass$pairs == 2,
          identical(byClass$`geometric mean of ratios`, c("4.000", "0.707")),
          identical(meansTable(means, means$encoding)$`geometric mean of ratios`, c("2.000", "2.000")))

cat("A single file is enough; several files of one benchmark are its forks\n")
stopifnot(compare(file.path(ten, "results.json"), ten)$status == 0)
twice <- directory("twice", result("A.read", X, TEN))
copied <- file.copy(file.path(twice, "results.json"), file.path(twice, "again.json"))
csv <- file.path(root, "pairs.csv")
stopifnot(compare(twice, ten, "--csv", csv)$status == 0)
pairs <- fread(csv)
stopifnot(pairs$oldForks == 6, pairs$newForks == 3, pairs$verdict == "within noise", pairs$mode == "avgt")

cat("Runs of queries end to end are compared by their rounds\n")
queries <- function(name, nanos) {
  path <- file.path(root, name)
  dir.create(path)
  rounds <- CJ(jvm = 0:2, round = 0:3, query = c("groupBy-all", "topN-tenth"), encoding = c("druid-lz4", "x"))
  rounds[, nanos := fifelse(encoding == "x", nanos, 1e6) * (1 + .001 * round + .002 * jvm)]
  fwrite(rounds, file.path(path, "query-rounds.csv"))
  fwrite(unique(rounds[, .(query, encoding, sizeInBytes = nchar(encoding) * 100)]), file.path(path, "queries.csv"))
  path
}
queried <- compare(queries("queried", 1e6), queries("queried-again", 2e6))
stopifnot(queried$status == 1, says(queried, "^slower +2[.]000 .* queries +query=topN-tenth encoding=x$"),
          says(queried, "^druid-lz4 +2 +1[.]000$"), !says(queried, "have one fork"), !says(queried, "^Sizes"))

cat("Other machines, JVMs and numbers of iterations, and few forks, are warned of\n")
stopifnot(says(compare(ten, twenty), paste0("WARNING: .*ten has no run.json")))
writeRun(ten, "EPYC", "c0ffee")
writeRun(twenty, "EPYC", "beef", TRUE)
known <- compare(ten, twenty)
stopifnot(!says(known, "WARNING"), says(known, "commit c0ffee; EPYC, 2 cores, Linux; OpenJDK 17 -Xmx2g$"),
          says(known, "commit beef with changes"))
writeRun(twenty, "Xeon", "beef")
stopifnot(says(compare(ten, twenty), "WARNING: The machines differ"))
short <- result("A.read", X, TEN[1])
short$measurementTime <- "2 s"
short <- compare(ten, directory("short", short))
stopifnot(says(short, "1 of 1 pairs were measured with another number"), says(short, "1 of 1 pairs have one fork"))

cat("Whatever is wrong has its message\n")
refuse <- function(message, ...) {
  run <- compare(...)
  cat("  ", run$err, "\n")
  stopifnot(run$status == 2, length(run$err) == 1, startsWith(run$err, "compare-benchmarks: "),
            grepl(message, run$err, fixed = TRUE), length(run$out) == 0)
}
refuse("two runs are compared, and 1 are named", ten)
refuse("--threshold is a share", ten, ten, "--threshold", "-1")
refuse("no such option: --nonsense", ten, ten, "--nonsense")
refuse("nowhere: there is no such file or directory", ten, file.path(root, "nowhere"))
refuse("nothing was measured by both: the old has A.read encoding=x selected=0.1, the new B.read;", ten,
       directory("other", result("B.read", NULL, TEN)))
bad <- file.path(directory("bad", result("A.read", X, TEN)), "results.json")
good <- readLines(bad)
for (case in list(c(".*", "not JSON", ": not JSON ("), c(".*", "{}", "this is no result of JMH"),
                  c(".*", "[]", "there is no result"), c(".*", "[{}]", "this is no result of JMH"),
                  c("ns/op", "ops/s", "it is in ops/s, not in ns/op"),
                  c("\"rawData\":.*?\\]\\]", "\"rawData\":[]", "it has no iterations"),
                  c("10.1,10.2", "10.1,0", "an iteration took 0 ns"),
                  c("10.1,10.2", "10.1,\"NaN\"", "an iteration took NaN ns"))) {
  writeLines(sub(case[1], case[2], good, perl = TRUE), bad)
  refuse(case[3], bad, ten)
}

# ---- Statistics

cat("The interval is that of Student and Welch\n")
forks <- function(...) lapply(c(...), identity)
# Logarithms 0, 1, 2 and 3, 4, 5: means 1 and 4, variances 1 and 1, 4 degrees of freedom, whose t is 2.776445.
ratio <- ratiosOf(rbindlist(list(sampleOf(forks(exp(0:2))))), rbindlist(list(sampleOf(forks(exp(3:5))))), 0)
reach <- 2.776445 * sqrt(2 / 3)
# t = 3 / sqrt(2 / 3) = 3.674 with 4 degrees of freedom.
stopifnot(all.equal(log(unlist(ratio[, .(ratio, low, high)])), c(3, 3 - reach, 3 + reach), check.attributes = FALSE,
                    tolerance = 1e-5),
          abs(ratio$slowerByChance - .010656) < 1e-5, abs(ratio$fasterByChance - 1 + .010656) < 1e-5)

cat("Each fork counts once, one fork has its iterations, one iteration no interval, and no noise an exact one\n")
stopifnot(identical(sampleOf(list(10:12, 20:22)), sampleOf(list(rep(10:12, 3), rep(20:22, 3)))))
one <- sampleOf(list(c(10, 11, 12, 13, 100)))
stopifnot(all.equal(exp(one$mean), 12), one$units == 5, one$variance > 0,
          identical(one, sampleOf(list(c(10, 11, 12, 13, 100)))))
between <- function(old, new, threshold) {
  ratiosOf(rbindlist(list(sampleOf(forks(old)))), rbindlist(list(sampleOf(forks(new)))), threshold)
}
stopifnot(is.na(between(c(1, 2), 10, 0)$low), between(c(1, 2), 10, 0)$slowerByChance == 1)
exact <- between(c(10, 10), c(11, 11), .05)
stopifnot(all.equal(unlist(exact), c(1.1, 1.1, 1.1, 0, 1), check.attributes = FALSE))

# Times as benchmarks on a shared machine show them: iterations and forks each differ by a normal 5 to 10 % of the time,
# and one iteration in twenty is disturbed, by up to 170 %. Of so many pairs the first few are slower by the ratio.
PAIRS <- 500
simulated <- function(forks, slower = 0, ratio = 1, pairs = PAIRS) {
  noise <- function() runif(1, .05, .1)
  side <- function(nanos, ofForks, ofIterations) {
    lapply(nanos * exp(rnorm(forks, 0, ofForks)), function(inFork) {
      inFork * exp(rnorm(5, 0, ofIterations) + ifelse(runif(5) < .05, runif(5), 0))
    })
  }
  rows <- lapply(seq_len(pairs), function(i) {
    ofForks <- noise()
    ofIterations <- noise()
    list(old = side(1e6, ofForks, ofIterations),
         new = side(if (i <= slower) ratio * 1e6 else 1e6, ofForks, ofIterations))
  })
  run <- function(name) {
    list(path = name, measurements = data.table(
      benchmark = "A.read", mode = "avgt", encoding = "", params = paste0("pair=", seq_len(pairs)),
      forks = lapply(rows, `[[`, name), bytes = NA_real_, settings = ""
    ))
  }
  compareRuns(run("old"), run("new"))$pairs
}

cat("Intervals hold the truth as often as they say\n")
for (forks in c(2, 3, 5, 10)) {
  set.seed(forks)
  held <- simulated(forks, 2000, 1.2, 2000)[, mean(low <= 1.2 & 1.2 <= high)]
  cat("  ", forks, "forks:", held, "\n")
  stopifnot(held > .94)
}

cat("Noise is rarely taken for slower\n")
for (forks in c(2, 3, 5)) {
  set.seed(forks)
  found <- replicate(20, table(factor(simulated(forks)$verdict, VERDICTS)))
  # One run in twenty may have any; of pairs at the threshold itself 2.5 % would be perhaps slower.
  stopifnot(sum(found["slower", ] > 0) <= 1, sum(found["perhaps slower", ]) <= .01 * 20 * PAIRS)
}

cat("Real slowdowns are found\n")
set.seed(1)
doubled <- simulated(5, 1, 2)
stopifnot(doubled[1]$verdict == "slower", doubled[1]$params == "pair=1", sum(doubled$verdict == "slower") == 1)
found <- simulated(10, 100, 1.2)[verdict == "slower"]
right <- sum(as.integer(sub("pair=", "", found$params)) <= 100)
stopifnot(right >= 70, nrow(found) - right <= 5)

unlink(dirname(root), recursive = TRUE)
cat("All passed in", round(as.numeric(Sys.time() - started, units = "secs")), "s\n")
