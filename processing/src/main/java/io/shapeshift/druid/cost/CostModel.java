// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cost;

/**
 * Every factor, time and threshold by which something is chosen: a form, a codec, a coding of texts, an index, a way to
 * read. Limits of a format stand with the format.
 *
 * <p>Times are nanoseconds on the machine of docs/measurements.md, in one thread; only their ratios matter. Each
 * constant is {@link Measured}, and then {@code scripts/benchmark costs} measures it again, or {@link Chosen}. Numbers
 * are compile-time constants, which cost nothing where they are used.
 */
public final class CostModel {
  private static final String BYTES = "bytes per byte, by target";
  private static final String WEIGHT = "the bytes that the speed of scripts/benchmark forms is worth";
  private static final String SCAN = "ns per value";
  private static final String GAP = "positions per value wanted";
  private static final String BY_POSITION = "values one by one by position, and picked of whole vectors";
  private static final String ALONE = "a value read alone / a value of a scan";
  private static final String BY_HAND = "set by hand, near the break-even of two ways; no measurement is on record";

  private CostModel() {}

  /** Reads of all forms. */
  public static final class Reads {
    /** Scan of a form of ints at full speed. */
    @Measured(unit = SCAN, by = "scan of ints in bitpack, in vectors of 512")
    public static final double SCAN_NANOS = 0.1;
    /** Time of a form's scan, as a multiple of its estimate, that stock's column must not beat. */
    @Chosen(unit = "factor", reason = "scan times are estimated to within 10 %; on a tie stock's own block is chosen")
    public static final double SPEED_LIMIT_MARGIN = 1.1;
    /** Share by which two weights differ at the most where the faster scan decides, and not the lesser weight. */
    @Chosen(unit = "share of the lesser weight", reason = "bytes within .1 % are not worth slower reads")
    public static final double TIE = 0.001;
    /** Time of a scan, as a multiple of another, above which it decides such a tie. */
    @Chosen(unit = "factor", reason = "twice the 10 % to which scan times are estimated")
    public static final double SLOWER = 1.2;
    /** Distance of two single reads up to which a whole vector is decoded, of most forms. */
    @Measured(unit = "values", by = ALONE + ", mean of radix and dictionary")
    public static final int NEAR = 12;
    /** Reads in a row, each near the one before, after which whole vectors are decoded. */
    @Chosen(unit = "reads", reason = "a guess at what comes is not to rest on one pair of reads")
    public static final int NEAR_IN_A_ROW = 4;
    /** Lanes per lane that may have a value from which all are searched, and not these alone. */
    @Chosen(unit = "lanes", reason = BY_HAND)
    public static final int LANES_PER_FOUND = 16;

    private Reads() {}
  }

  /** Bit packing and byte packing. */
  public static final class Packed {
    /** Cost of bytepack and unencoded: sparse reads are faster than of bits, scans up to five times slower. */
    @Chosen(unit = BYTES, reason = "a header of four bytes less must not decide")
    public static final DecodeCost BYTES_COST = DecodeCost.factors(1.002, 1.01, 1.01);
    /** Positions per wanted value up to which whole vectors are decoded. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSITY = 4;
    /** Distance of two single reads up to which a whole vector is decoded. */
    @Measured(unit = "values", by = ALONE)
    public static final int NEAR = 24;
    /** Positions per wanted value below which values are gathered by row of lanes. */
    @Chosen(unit = GAP, reason = BY_HAND)
    public static final int POSITIONS_BY_ROW = 128;
    /** Wanted values per row of lanes from which longs are gathered by row. */
    @Chosen(unit = "values per row", reason = BY_HAND)
    public static final int LONGS_PER_ROW = 2;

    private Packed() {}
  }

  /** Digits of any radix: form {@code radix}. */
  public static final class Radix {
    /** Two products per value: scans take 1.3 to 2.1 times as long as of bitpack, sparse reads 1.2 to 1.9 times. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost COST = DecodeCost.factors(1, 1.03, 1.1);
    /** Scan. */
    @Measured(unit = SCAN, by = "scan of ints in radix")
    public static final double SCAN_NANOS = 0.25;
    /** Positions per wanted value up to which whole vectors are decoded. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSITY = 4;
    /** Lanes that a chunk has at the least. */
    @Chosen(unit = "lanes", reason = "rows of fewer are slow to read")
    public static final int LEAST_LANES = 16;
    /** Lanes with which values weigh twice their words. */
    @Chosen(unit = "lanes", reason = "set by hand; no measurement is on record")
    public static final int LANES_FOR_TWICE = 8;
    /** Bytes of bitpack per byte that has to be saved. */
    @Chosen(unit = "bytes per byte saved", reason = "less than 2 % is not worth slower reads")
    public static final int SAVES = 50;

    private Radix() {}
  }

  /** Patched frame of reference: form {@code patched}. */
  public static final class Patched {
    /** The exceptions, and a look at the escape code of each value. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost COST = DecodeCost.factors(1, 1.03, 1.05);
    /** Scan without exceptions. */
    @Measured(unit = SCAN, by = "scan of ints in patched, less its exceptions")
    public static final double SCAN_NANOS = 0.1;
    /** Time that an exception adds to a scan. */
    @Measured(unit = "ns per exception", by = "scans of ints in patched with many exceptions and with few")
    public static final double EXCEPTION_NANOS = 2.2;
    /** Time that a read of one in a hundred values adds for each value, without codes and with many exceptions. */
    @Measured(unit = SCAN, by = "read of 1 % of ints in patched of width 0, less that in bitpack")
    public static final double SPARSE_NANOS = 0.12;
    /** Share of exceptions above which no width is tried. */
    @Chosen(unit = "share of values", reason = "each takes a byte and its bits: then no width is smaller than bitpack")
    public static final double MOST_EXCEPTIONS = 0.3;
    /** Share of changes above which width 0 is not tried. */
    @Chosen(unit = "share of values", reason = "then hardly any value is more frequent than all others; set by hand")
    public static final double MOST_CHANGES = 0.8;
    /** Values per exception below which a chunk of width 0 is slow to read sparsely. */
    @Chosen(unit = "values per exception", reason = "searches among more build a directory")
    public static final int VALUES_PER_SEARCHED = 16;
    /** Values per exception below which a chunk is not read as runs. */
    @Chosen(unit = "values per exception", reason = BY_HAND)
    public static final int VALUES_PER_EXCEPTION = 16;
    /** Search for an exception. */
    @Chosen(unit = "words of a directory built in the same time", reason = BY_HAND)
    public static final int SEARCH_COST = 8;
    /** Positions per wanted value up to which whole vectors are decoded, with codes. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSITY = 4;
    /** The same without codes. */
    @Measured(unit = GAP, by = BY_POSITION + ", of width 0")
    public static final int SPARSE_DENSITY = 3;

    private Patched() {}
  }

  /** A dictionary of a chunk's ints: form {@code dictionary}. */
  public static final class Dictionary {
    /** A load per value from a dictionary of bits. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost COST = DecodeCost.factors(1, 1.06, 1.25);
    /** Scan: a load per value. */
    @Measured(unit = SCAN, by = "scan of ints in dictionary")
    public static final double SCAN_NANOS = 0.5;
    /** Positions per wanted value up to which whole vectors are decoded. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSITY = 2;
    /** Values of a read from which on the entries are unpacked. */
    @Chosen(unit = "values", reason = BY_HAND)
    public static final int LEAST_TO_UNPACK = 128;

    private Dictionary() {}
  }

  /** Run-end encoding, and run length. */
  public static final class Runs {
    /** Of runend: a loop per run. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost COST = DecodeCost.factors(1, 1.05, 1.25);
    /** Of rle, which is decoded whole before a single value is read. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost RUN_LENGTH_COST = DecodeCost.factors(1.02, DecodeCost.NEVER, DecodeCost.NEVER);
    /** Scan of a long run. */
    @Measured(unit = SCAN, by = "scan of ints in runend, less its runs")
    public static final double SCAN_NANOS = 0.08;
    /** Time that a run adds to a scan: it ends where no processor predicts it. */
    @Measured(unit = "ns per run", by = "scans of ints in runend with short runs and with long ones")
    public static final double RUN_NANOS = 5.5;
    /** Changes in four values above which runend is not tried. */
    @Chosen(unit = "changes per 4 values", reason = "even a bit for each end saves nothing worth slower reads")
    public static final int MOST_CHANGES = 3;
    /** Mean length of runs below which they are short, and read by a step for each value. */
    @Chosen(unit = "values", reason = BY_HAND)
    public static final int SHORT = 8;
    /** Runs per read below which all runs are unpacked. */
    @Chosen(unit = "runs per read", reason = BY_HAND)
    public static final int READS_PER_RUN = 2;
    /** Search for a run, besides its steps. */
    @Chosen(unit = "words of a directory built in the same time", reason = BY_HAND)
    public static final int SEARCH_COST = 2;
    /** Steps of a search if each value is a run: a step compares eight of the ends among 256 values. */
    @Chosen(unit = "steps", reason = "derived: 256 / 8")
    public static final int STEPS_PER_RUN = 256 / 8;
    /** Multiple of the positions at hand that a chunk is expected to be read by, at most. */
    @Chosen(unit = "factor", reason = "a guess at reads that follow is not to be trusted further")
    public static final int MOST_VECTORS = 8;
    /** Values of a read from which on all runs are unpacked. */
    @Chosen(unit = "values", reason = BY_HAND)
    public static final int LEAST_TO_UNPACK = 256;
    /** Positions per wanted value up to which whole vectors are decoded. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSITY = 3;

    private Runs() {}
  }

  /** Differences: form {@code delta}. */
  public static final class Delta {
    /** A single value adds up 64 differences, on average. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost COST = DecodeCost.factors(1, 1.15, 2).perNumber(0, 0.05, 0.3);
    /** Scan: a value waits for the one before. */
    @Measured(unit = SCAN, by = "scan of ints in delta")
    public static final double SCAN_NANOS = 0.8;
    /** Time that a read of one in a hundred values adds for each value. */
    @Measured(unit = SCAN, by = "read of 1 % of ints in delta, less that in bitpack")
    public static final double SPARSE_NANOS = 0.45;
    /** Positions per wanted value up to which whole vectors are decoded. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSITY = 100;
    /** Distance of two single reads up to which a whole vector is decoded, of ints and numbers. */
    @Measured(unit = "values", by = ALONE)
    public static final int NEAR = 64;

    private Delta() {}
  }

  /** LZ4, Zstandard and FastPFOR. */
  public static final class Codecs {
    /** Of LZ4. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost LZ4_COST = DecodeCost.factors(1.03, 1.12, 2).perNumber(0, 0.12, 0.4);
    /** Of Zstandard, which takes several times as long as LZ4. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost ZSTD_COST =
        DecodeCost.factors(1.03, DecodeCost.NEVER, DecodeCost.NEVER).perNumber(0.01, 0, 0);
    /** Of FastPFOR, which is decoded whole before a single value is read. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost FASTPFOR_COST = DecodeCost.factors(1.02, DecodeCost.NEVER, DecodeCost.NEVER);
    /** Size of directly read chunks, as a multiple of stock's column with Zstandard, up to which they are kept. */
    @Chosen(unit = "factor", reason = "what the target smaller promises")
    public static final double ALLOWED_OVER_ZSTD = 1.02;
    /** The same with any codec under {@link OptimizationTarget#FASTER}. */
    @Chosen(unit = "factor", reason = "what the target faster promises")
    public static final double ALLOWED_IF_FASTER = 1.1;
    /** Scan of ints under a codec. */
    @Measured(unit = SCAN, by = "scan of ints in bytepack under LZ4")
    public static final double SCAN_NANOS = 2.8;
    /**
     * Time to decompress what the quick variant makes of another inner form, as a multiple of the plain one's, up to
     * which that form may be chosen. The thorough variant finds more and shorter matches among plain values, and fewer
     * and longer ones among those of the others.
     */
    @Chosen(unit = "factor", reason = "with twice as many sequences by the quick variant, thorough blocks tie")
    public static final double PACE = 1.5;

    /** LZ4: a byte that is decompressed, besides the sequences. */
    @Measured(unit = "ns per byte", by = "LZ4 of bytes without a match")
    public static final double LZ4_BYTE_NANOS = 0.04;
    /** LZ4: a sequence, but for a near one. */
    @Measured(unit = "ns per sequence", by = "LZ4 of matches far away, less the bytes")
    public static final double LZ4_FAR_NANOS = 2;
    /** LZ4: a sequence whose match starts 8 to 15 bytes before, and goes on into what it makes. */
    @Measured(unit = "ns per sequence", by = "LZ4 of short matches 8 bytes before, less the bytes")
    public static final double LZ4_NEAR_NANOS = 10;
    /** LZ4: a byte of such a match, besides a byte. */
    @Measured(unit = "ns per byte", by = "LZ4 of long matches 8 bytes before, less the bytes and sequences")
    public static final double LZ4_NEAR_BYTE_NANOS = 0.02;
    /** LZ4: least distance of a near match. */
    @Chosen(unit = "bytes", reason = "each step of the copy waits for the one before")
    public static final int LZ4_LEAST_NEAR = 8;
    /** LZ4: greatest distance of a near match. */
    @Chosen(unit = "bytes", reason = "each step of the copy waits for the one before")
    public static final int LZ4_MOST_NEAR = 15;

    /** Bytes by weight up to which chunks are not compressed. */
    @Chosen(unit = "bytes", reason = "a codec has a header of its own, and makes them no smaller")
    public static final int LEAST_TO_COMPRESS = 16;
    /** Chunks of similar size that are not compressed after all codecs lost. */
    @Chosen(unit = "chunks", reason = "columns look alike from one end to the other; trials are most of the time")
    public static final int CHUNKS_PER_VAIN_TRIAL = 3;
    /** Difference of sizes per value below which they are similar. */
    @Chosen(unit = "share", reason = "set by hand; no measurement is on record")
    public static final double ALIKE = 0.03;
    /** Chunks in a row that rely on one measured thorough size, the measured one among them. */
    @Chosen(unit = "chunks", reason = "thorough compression is most of the time that encoding takes")
    public static final int BELIEVERS = 16;
    /** Factor of estimated thorough sizes. */
    @Chosen(unit = "factor", reason = "a chunk may compress a little better than the one that was measured")
    public static final double BELIEVED_MARGIN = 0.98;

    private Codecs() {}
  }

  /** Stock Druid's columns. */
  public static final class Stock {
    /** Scan of a long or double, besides LZ4's sequences. */
    @Measured(unit = SCAN, by = "scan of stock's longs under LZ4, without a match")
    public static final double WIDE_NANOS = 0.35;
    /** The same of a float. */
    @Measured(unit = SCAN, by = "scan of stock's floats under LZ4, without a match")
    public static final double NARROW_NANOS = 0.16;
    /** Blocks in a row that rely on one that was measured. */
    @Chosen(unit = "blocks", reason = "columns look alike from one end to the other")
    public static final int BELIEVERS = 16;
    /** Difference of sizes and of times up to which blocks are alike. */
    @Chosen(unit = "share", reason = "as exact as estimates of time are")
    public static final double ALIKE = 0.1;
    /** Difference from which on one time is clearly more or less than another. */
    @Chosen(unit = "share", reason = "as exact as estimates of time are")
    public static final double CLEAR = 0.1;
    /** Share of the size wanted below which a proven bound is far from the size. */
    @Chosen(unit = "share", reason = "then the next bounds are likely to prove as little; set by hand")
    public static final double FAR = 0.75;
    /** Spans that are measured at once after such a bound. */
    @Chosen(unit = "spans", reason = "bounds in vain take time; set by hand")
    public static final int SPANS_PER_FAR_BOUND = 3;

    private Stock() {}
  }

  /** The size of chunks. */
  public static final class Chunks {
    /** Share of one chunk's weight below which a chunk for each block is made. */
    @Chosen(unit = "share", reason = "reading more chunks takes more loads")
    public static final double SPLIT_SAVES = 0.97;
    /** Values of a block per difference in changes above which blocks differ. */
    @Chosen(unit = "values", reason = "set by hand; no measurement is on record")
    public static final int VALUES_PER_CHANGE = 8;
    /** Values whose sample tells of distinct ones. */
    @Chosen(unit = "values", reason = "a sample takes little of the time of a chunk's statistics")
    public static final int SAMPLE = 256;

    private Chunks() {}
  }

  /** Frames of numbers, and numbers without one. Times of frames come on top of those of their ints. */
  public static final class Numbers {
    /** Scan of a linear frame, of longs and floats. */
    @Measured(unit = SCAN, by = "scan of longs in a linear frame, less its ints")
    public static final double LINEAR_NANOS = 0.2;
    /** The same of doubles. */
    @Measured(unit = SCAN, by = "scan of doubles in a linear frame, less its ints")
    public static final double LINEAR_DOUBLE_NANOS = 0.42;
    /** Scan of decimal doubles: a division. */
    @Measured(unit = SCAN, by = "scan of doubles in a decimal frame, less its ints")
    public static final double DECIMAL_NANOS = 0.5;
    /** The same of floats. */
    @Measured(unit = SCAN, by = "scan of floats in a decimal frame, less its ints")
    public static final double DECIMAL_FLOAT_NANOS = 0.42;
    /** Scan of differences of longs: a number waits for the one before. */
    @Measured(unit = SCAN, by = "scan of longs in a delta frame, less its ints")
    public static final double DELTA_NANOS = 1;
    /** Scan of a dictionary: a load per number. */
    @Measured(unit = SCAN, by = "scan of longs in a dictionary frame, less its ints")
    public static final double DICTIONARY_NANOS = 0.85;
    /** Scan of numbers as they are, also under a codec. */
    @Chosen(unit = SCAN, reason = "0: stock's column reads the same bytes, and is no faster")
    public static final double RAW_NANOS = 0;
    /** Scan of packed longs, of 33 bits and more. */
    @Measured(unit = SCAN, by = "scan of longs in wide")
    public static final double WIDE_NANOS = 0.45;
    /** Scan of numbers that are put together of two parts. */
    @Measured(unit = SCAN, by = "scan of doubles in split")
    public static final double SPLIT_NANOS = 0.8;
    /** Of the delta frame: a single number adds up 64 differences, on average. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost DELTA_COST = DecodeCost.factors(1, 1.15, 2).perNumber(0, 0.07, 0.4);
    /** Of the dictionary frame: a load per number. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost DICTIONARY_COST = DecodeCost.factors(1, 1.05, 1.15);
    /** Of split: a number from two parts. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost SPLIT_COST = DecodeCost.factors(1, 1.08, 1.3);

    /** Values per exception below which a chunk has no linear frame. */
    @Chosen(unit = "values per exception", reason = "chunks with more are left to other forms")
    public static final int VALUES_PER_EXCEPTION = 16;
    /** Numbers of a sample that tells of the median and of digits. */
    @Chosen(unit = "values", reason = "a sample takes little of the time of a chunk's statistics")
    public static final int SAMPLE = 64;
    /** Bits of an exception of a decimal frame. */
    @Chosen(unit = "bits", reason = "derived: its 64 bits, and its place")
    public static final int EXCEPTION_BITS = 80;
    /** Numbers of a sample that tells of distinct ones. */
    @Chosen(unit = "values", reason = "a sample takes little of the time of a chunk's statistics")
    public static final int DISTINCT_SAMPLE = 256;
    /** Share of distinct numbers in the sample above which there is no dictionary. */
    @Chosen(unit = "share of values", reason = "more entries take as much as they save")
    public static final double MOST_DISTINCT_IN_SAMPLE = 0.8;
    /** Numbers per entry below which there is no dictionary. */
    @Chosen(unit = "values per entry", reason = "more entries take as much as they save")
    public static final int VALUES_PER_ENTRY = 4;

    /** Positions per wanted number up to which whole vectors are decoded, of the delta frame. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSE_DELTAS = 100;
    /** The same of a linear or decimal frame with exceptions. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSE_EXCEPTIONS = 16;
    /** The same of packed longs. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSE_LONGS = 4;
    /** Numbers by position from which on the entries of a dictionary are copied. */
    @Chosen(unit = "values", reason = BY_HAND)
    public static final int LEAST_TO_COPY = 64;
    /** Runs of a vector below which they are long, and read by a loop each. */
    @Chosen(unit = "runs per 512 values", reason = BY_HAND)
    public static final int FEW_RUNS = 24;

    private Numbers() {}
  }

  /** Filters of chunks: which of its values a chunk compares, and how. */
  public static final class Filters {
    /** Ranges of ints above which values are looked up in a set. */
    @Chosen(unit = "ranges", reason = BY_HAND)
    public static final int MOST_RANGES = 4;
    /** Ints that a set has a bit for, at most. */
    @Chosen(unit = "ints", reason = "a bit each, 8 KiB")
    public static final int MOST_IN_SET = 1 << 16;
    /** Values per int that a chunk may have from which on a test is asked for all these ints. */
    @Chosen(unit = "values per int", reason = "a test may take long, and a chunk need not have all its ints")
    public static final int VALUES_PER_TEST = 2;
    /** Ints per value above which a single one is looked for before its place is. */
    @Chosen(unit = "ints per value", reason = "then most ints are not there, as those of keys are not")
    public static final int INTS_PER_VALUE = 4;
    /** Values per single number that is looked for from which on all of these are turned into ints. */
    @Chosen(unit = "values per number", reason = BY_HAND)
    public static final int VALUES_PER_LISTED = 16;
    /** Ranges of numbers above which they are looked up, if their numbers are few. */
    @Chosen(unit = "ranges", reason = BY_HAND)
    public static final int MOST_TO_SEARCH = 4;
    /** Numbers per range up to which they are few. */
    @Chosen(unit = "numbers per range", reason = "in a list without any order some follow each other")
    public static final long NUMBERS_PER_RANGE = 2;
    /** Bits of hashes for each number of a list. */
    @Chosen(unit = "bits per number", reason = "1 in 64 other numbers is searched for in vain")
    public static final long HASHES_PER_NUMBER = 64;
    /** Base 2 logarithm of the bits of hashes, at most. */
    @Chosen(unit = "log2 of bits", reason = "128 KiB of bits stay in a cache")
    public static final int MAX_LOG_HASHES = 20;
    /** Bytes of the table of hashes for each int of a list. */
    @Chosen(unit = "bytes per int", reason = "1 in 128 other ints is searched for in vain")
    public static final int PLACES_PER_INT = 128;
    /** Base 2 logarithm of the bytes of that table, at least. */
    @Chosen(unit = "log2 of bytes", reason = "4 KiB are cleared for each filter of a chunk")
    public static final int LEAST_LOG_TABLE = 12;
    /** The same, at most. */
    @Chosen(unit = "log2 of bytes", reason = "64 KiB stay in a cache")
    public static final int MOST_LOG_TABLE = 16;

    private Filters() {}
  }

  /** Codings of texts. */
  public static final class Texts {
    /** Front coding with symbols in suffixes. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost FRONT_SUFFIX_SYMBOLS_COST = DecodeCost.factors(1, 1.15, 2.5);
    /** Texts of which each shares with the one before. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost CHAINED_COST = DecodeCost.factors(1.02, 1.5, DecodeCost.NEVER);
    /** A pattern. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost PATTERN_COST = DecodeCost.factors(1, 1.05, 1.3);
    /** Blocks under Zstandard. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost BLOCKS_COST = DecodeCost.factors(1.05, DecodeCost.NEVER, DecodeCost.NEVER);

    /** Bytes of texts that are sampled. */
    @Chosen(unit = "bytes", reason = "a sample takes little of the time of writing a dictionary")
    public static final int SAMPLE_BYTES = 1 << 17;
    /** Bytes of a bucket above which it is not sampled. */
    @Chosen(unit = "bytes", reason = "the sample keeps whole buckets on the heap")
    public static final int LARGEST_SAMPLED = 1 << 24;
    /** Length of a text above which there are neither symbols nor blocks. */
    @Chosen(unit = "bytes", reason = "a bucket of such, and its codes, would fill the heap")
    public static final int LONGEST_CODED = 1 << 22;
    /** Bytes of texts below which there are neither symbols nor blocks. */
    @Chosen(unit = "bytes", reason = "symbols save less than they take")
    public static final int LEAST_CODED = 1 << 9;
    /** Bytes of a separator of blocks, about. */
    @Chosen(unit = "bytes", reason = "an estimate of the size of the file")
    public static final int SEPARATOR_BYTES = 10;

    /** Rounds in which symbols are trained. */
    @Chosen(unit = "rounds", reason = "as in FSST (Boncz, Neumann and Leis)")
    public static final int SYMBOL_ROUNDS = 5;
    /** Bytes that a symbol of one byte counts as, as without it each takes an escape. */
    @Chosen(unit = "bytes", reason = "with 1 texts of wikiticker are 2 % larger, with 8 one percent")
    public static final int SINGLE_BYTE = 3;
    /** Occurrences of a symbol at the least. */
    @Chosen(unit = "occurrences", reason = "one saves nothing")
    public static final int LEAST_COUNT = 2;

    /** Bytes of an average block before compression. */
    @Chosen(unit = "bytes", reason = "larger blocks are smaller in all, and take longer to read one text")
    public static final int BLOCK_BYTES = 1 << 10;
    /** Bytes of texts for each byte of the sample of blocks. */
    @Chosen(unit = "bytes per byte", reason = "training takes about as long as compressing does")
    public static final int BYTES_PER_SAMPLED = 4;
    /** Bytes of the sample of blocks, at the least. */
    @Chosen(unit = "bytes", reason = "set by hand; no measurement is on record")
    public static final int LEAST_BLOCK_SAMPLE = 1 << 14;
    /** Bytes of the sample of blocks, at most. */
    @Chosen(unit = "bytes", reason = "bounds the time and the memory of training")
    public static final int MOST_BLOCK_SAMPLE = 1 << 18;
    /** Bytes of the sample above which training is slow, and a sketch of it is made first. */
    @Chosen(unit = "bytes", reason = "above, training takes tens of milliseconds")
    public static final int SLOW_SAMPLE = 1 << 16;
    /** Bytes of texts for each byte of the dictionary. */
    @Chosen(unit = "bytes per byte", reason = "the dictionary is stored as well")
    public static final int BYTES_PER_DICTIONARY = 24;
    /** Bytes of a dictionary, at the least. */
    @Chosen(unit = "bytes", reason = "fewer are hardly more than the statistics that it starts with")
    public static final int LEAST_DICTIONARY = 1 << 9;
    /** Bytes of a dictionary, at most. */
    @Chosen(unit = "bytes", reason = "each reader loads it")
    public static final int MOST_DICTIONARY = 1 << 15;
    /** Blocks of the sample for each one of a sketch. */
    @Chosen(unit = "blocks", reason = "a sketch takes a small part of the time of training")
    public static final int BLOCKS_PER_SKETCHED = 8;
    /** Bytes of the dictionary of a sketch, at most. */
    @Chosen(unit = "bytes", reason = "a sketch takes a small part of the time of training")
    public static final int SKETCHED_DICTIONARY = 1 << 11;
    /** Blocks of the sample that sizes are told from, about. */
    @Chosen(unit = "blocks", reason = "a sample takes little of the time of training")
    public static final int MEASURED_BLOCKS = 64;

    private Texts() {}
  }

  /** Posting lists, and sets of rows. */
  public static final class Postings {
    /** Form {@code packed}. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost PACKED_COST = DecodeCost.factors(1, 2.5, 2.5);
    /** Form {@code eliasfano}. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost ELIAS_FANO_COST = DecodeCost.factors(1, 2.7, 2.8);
    /** Form {@code complement}. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost COMPLEMENT_COST = DecodeCost.factors(1, 3, 3);
    /** Form {@code runs}. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost RUNS_COST = DecodeCost.factors(1, 2, 3);
    /** Form {@code delta}. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost DELTA_COST = DecodeCost.factors(1.01, 1.3, 2);
    /** Rows of the segment for each row of the densest list that is stored as {@code delta}. */
    @Chosen(unit = "rows per posting", reason = "Roaring intersects denser ones as bit sets, far faster")
    public static final int ROWS_PER_DELTA = 16;
    /** Rows of the segment for each row of a list above which the list is dense, and is stored as a bit set. */
    @Measured(unit = "rows per posting", by = "a row of a list that is decoded / a row of a scan of ids")
    public static final int ROWS_PER_DENSE_POSTING = 12;
    /** Rows for each run from which on lists are stored as runs. */
    @Chosen(unit = "rows per run", reason = "forms of single rows take too long to read runs")
    public static final int POSTINGS_PER_RUN = 2;
    /** Mean length of runs below which they are read as rows. */
    @Chosen(unit = "rows per run", reason = BY_HAND)
    public static final int LEAST_RUN = 8;

    /** Rows of the segment for each row of a set above which rows that ascend are listed, and not bits. */
    @Chosen(unit = "rows per row of the set", reason = "as in Roaring, whose arrays have 1 row in 16 at most")
    public static final int ASCENDING_PER_ROW = 16;
    /** The same of rows that do not ascend. */
    @Chosen(unit = "rows per row of the set", reason = "sooner, as lists would have to be sorted; set by hand")
    public static final int OTHERS_PER_ROW = 40;
    /** Rows of a set above which there may be bits. */
    @Chosen(unit = "rows", reason = BY_HAND)
    public static final int LEAST_BITS = 64;
    /** Rows from which on they are sorted by digits. */
    @Chosen(unit = "rows", reason = "fewer are sorted faster by comparisons; set by hand")
    public static final int LEAST_RADIX = 128;
    /** Rows above which the end of a container is searched for. */
    @Chosen(unit = "rows", reason = BY_HAND)
    public static final int MOST_WALKED = 1 << 12;

    private Postings() {}
  }

  /** Indexes: by posting lists, scans and hashes. */
  public static final class Indexes {
    /** A byte of posting lists. */
    @Measured(unit = "ns per byte", by = "union of sparse lists")
    public static final double LIST_BYTE_NANOS = 1.5;
    /** The same of lists so dense that they are bitmaps. */
    @Measured(unit = "ns per byte", by = "union of dense lists")
    public static final double DENSE_BYTE_NANOS = .1;
    /** A list that does not follow the one before. */
    @Measured(unit = "ns per list", by = "union of scattered lists, less their bytes")
    public static final double LIST_NANOS = 40;
    /** A row of the segment, if ids of a range are looked for. */
    @Measured(unit = "ns per row", by = "scan of ids for a range")
    public static final double COMPARISON_NANOS = .32;
    /** A row of the segment, if any set of ids is. */
    @Measured(unit = "ns per row", by = "scan of ids for a set")
    public static final double LOOKUP_NANOS = .6;
    /** Rows of the segment for each byte of lists that are bitmaps for the most part. */
    @Chosen(unit = "rows per byte", reason = "a bitmap takes a byte for 8 rows of the containers that it has")
    public static final int ROWS_PER_DENSE_BYTE = 64;
    /** Gets, each behind the one before, after which all ids are asked for; more scans take longer than inverting. */
    @Chosen(unit = "gets", reason = "more scans take longer than inverting; set by hand")
    public static final int MANY_GETS = 8;

    /** Scans of one cursor that are compared with reading a column. */
    @Chosen(unit = "scans", reason = "Druid has to read these columns as well")
    public static final int FIRST_SCANS = 4;
    /** Time to read a row by position and to match it. */
    @Measured(unit = "ns per row", by = "one row in 16 of longs by position, with Druid's matcher of a range")
    public static final double READ_NANOS = 8;
    /** Time to match a row of a vector that is read. */
    @Measured(unit = "ns per row", by = "Druid's matcher of an or of 4 ranges, each, less the read")
    public static final double MATCH_NANOS = 4;
    /** A row of a scan of numbers. */
    @Measured(unit = "ns per row", by = "scan of longs for a range")
    public static final double SCANNED_ROW_NANOS = .5;
    /** Scans of numbers that take as long as Druid's iterator over a bitmap of all rows. */
    @Measured(unit = "scans", by = "bitmap of most rows, asked for each as Druid does / scan of longs for a range")
    public static final int SCANS_PER_ITERATION = 14;
    /** Rows of a scan that takes as long as uniting two bitmaps, by which Druid orders filters. */
    @Chosen(unit = "rows", reason = "set by hand; only the order in which Druid asks filters rests on it")
    public static final int ROWS_PER_BITMAP = 1 << 16;
    /**
     * Rows of the segment per row found from which on an index is worth it where rows are read one by one. Such rows
     * are made into results at once, and a limit may end the query before most are read.
     */
    @Chosen(unit = "rows per row found", reason = "making a result takes that much longer than matching a row")
    public static final int ROW_BY_ROW = 16;

    /** Matches of a matcher for each test by a scan. */
    @Chosen(unit = "matches per test", reason = "a matcher may test fewer: an interval or a limit makes rows few")
    public static final int MATCHES_PER_TEST = 8;
    /** Rows to match for each number of a list from which on a list is worth sorting for one segment. */
    @Chosen(unit = "rows per number", reason = "sorting a number takes about as long as matching this number of rows")
    public static final int ROWS_PER_LISTED = 16;
    /** Entries of a dictionary, read one after another, for each that a row needs. */
    @Chosen(unit = "entries per match", reason = "to read an entry of a row may take 8 times as long, or more")
    public static final int ENTRIES_PER_MATCH = 8;
    /** Cost of a range of strings, in bitmaps that are united. */
    @Chosen(unit = "bitmaps per bitmap", reason = "Druid's own")
    public static final double RANGE_SCALE = 1;
    /** Gap of values in a dictionary from which on a search gallops, and does not read all entries. */
    @Chosen(unit = "entries per value", reason = "DictionarySearch has the times")
    public static final int GALLOPING_GAP = 4;
    /** Gap of values in a dictionary from which on each is searched for alone. */
    @Chosen(unit = "entries per value", reason = "DictionarySearch has the times")
    public static final int SINGLE_GAP = 32;

    private Indexes() {}
  }

  /** Hash indexes. */
  public static final class Hashes {
    /** To find the bucket of a key, of which hardly anything is in a cache. */
    @Measured(unit = "ns per key", by = "look-up of many keys that are absent, beyond the caches")
    public static final double KEY_NANOS = 150;
    /** To read a row that lies anywhere. */
    @Measured(unit = "ns per row", by = "look-up of many keys that are there, less that of absent ones")
    public static final double CANDIDATE_NANOS = 150;
    /** Keys with which a scan compares each row; among more it looks each row up. */
    @Chosen(unit = "keys", reason = BY_HAND)
    public static final int MOST_COMPARED = 4;
    /** A row of a scan that is looked up. */
    @Measured(unit = "ns per row", by = "scan of longs for a list of 1000")
    public static final double LOOKED_UP_ROW_NANOS = 2;
    /** To decode a value of a chunk as a whole. */
    @Measured(unit = "ns per value", by = "scan of longs under LZ4")
    public static final double DECODED_NANOS = 3;
    /** Rows for each bucket. */
    @Chosen(unit = "rows per bucket", reason = "a look-up compares the fingerprints of a bucket")
    public static final int ROWS_PER_BUCKET = 8;
    /** Rows of a key from which on it has a list. */
    @Chosen(unit = "rows", reason = "set by hand; no measurement is on record")
    public static final int LEAST_LISTED = 64;
    /** The same in a bucket with too many entries. */
    @Chosen(unit = "rows", reason = "saves entries")
    public static final int LEAST_LISTED_OF_MANY = 2;
    /** Rows above which they are not sorted by insertion. */
    @Chosen(unit = "rows", reason = BY_HAND)
    public static final int MOST_INSERTED = 256;

    private Hashes() {}
  }

  /** Ingestion into direct memory. */
  public static final class Ingestion {
    /** Length of the longest range of texts that is sorted by comparing strings. */
    @Chosen(unit = "texts", reason = "the library sorts it in place, and copies the array for longer ones")
    public static final int FEW_TEXTS = 15;

    private Ingestion() {}
  }
}
