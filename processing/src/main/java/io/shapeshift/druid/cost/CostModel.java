// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cost;

/**
 * All factors, times and thresholds that decide a choice: of a form, a codec, a coding of texts, an index, or a way to
 * read. Limits of a format are defined with the format.
 *
 * <p>Times are nanoseconds on the machine of docs/measurements.md, in one thread; only their ratios matter. A
 * {@link Measured} constant can be measured again by {@code scripts/benchmark costs}; a {@link Chosen} one is set by
 * hand. Numbers are compile-time constants, so their use costs nothing.
 */
public final class CostModel {
  private static final String BYTES = "bytes per byte, by target";
  private static final String WEIGHT = "factor on bytes for the speed in scripts/benchmark forms";
  private static final String SCAN = "ns per value";
  private static final String GAP = "positions per value wanted";
  private static final String BY_POSITION = "values read one by one by position, and picked from whole vectors";
  private static final String ALONE = "a value read alone / a value of a scan";
  private static final String BY_HAND = "set by hand, near the break-even of two ways; no measurement is on record";

  private CostModel() {}

  /** Reads in any form. */
  public static final class Reads {
    /** Scan of a form of ints at full speed. */
    @Measured(unit = SCAN, by = "scan of ints in bitpack, in vectors of 512")
    public static final double SCAN_NANOS = 0.1;
    /** Factor on the estimated scan time of a form; the product must not exceed the scan time of stock's column. */
    @Chosen(unit = "factor", reason = "scan times are estimated to within 10 %; on a tie stock's own block is chosen")
    public static final double SPEED_LIMIT_MARGIN = 1.1;
    /** Greatest relative difference of two weights that counts as a tie, which the faster scan decides. */
    @Chosen(unit = "share of the lesser weight", reason = "bytes within .1 % are not worth slower reads")
    public static final double TIE = 0.001;
    /** Ratio of two scan times above which the faster scan decides a tie. */
    @Chosen(unit = "factor", reason = "twice the 10 % to which scan times are estimated")
    public static final double SLOWER = 1.2;
    /** Distance of two single reads up to which a whole vector is decoded, in most forms. */
    @Measured(unit = "values", by = ALONE + ", mean of radix and dictionary")
    public static final int NEAR = 12;
    /** Consecutive near reads after which whole vectors are decoded. */
    @Chosen(unit = "reads", reason = "one pair of reads is too little to predict the next")
    public static final int NEAR_IN_A_ROW = 4;
    /** Total lanes per candidate lane from which all lanes are searched, and not only the candidates. */
    @Chosen(unit = "lanes", reason = BY_HAND)
    public static final int LANES_PER_FOUND = 16;

    private Reads() {}
  }

  /** Bit packing and byte packing. */
  public static final class Packed {
    /** Cost of bytepack and unencoded. Sparse reads are faster than in bitpack, scans up to five times slower. */
    @Chosen(unit = BYTES, reason = "a header of four bytes less must not decide")
    public static final DecodeCost BYTES_COST = DecodeCost.factors(1.002, 1.01, 1.01);
    /** Positions per wanted value up to which whole vectors are decoded. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSITY = 4;
    /** Distance of two single reads up to which a whole vector is decoded. */
    @Measured(unit = "values", by = ALONE)
    public static final int NEAR = 24;
    /** Positions per wanted value below which values are gathered row by row. */
    @Chosen(unit = GAP, reason = BY_HAND)
    public static final int POSITIONS_BY_ROW = 128;
    /** Wanted values per row of lanes from which longs are gathered row by row. */
    @Chosen(unit = "values per row", reason = BY_HAND)
    public static final int LONGS_PER_ROW = 2;

    private Packed() {}
  }

  /** Mixed-radix packing: form {@code radix}. */
  public static final class Radix {
    /**
     * Decoding needs two products per value: scans take 1.3 to 2.1 times as long as in bitpack, sparse reads 1.2 to 1.9
     * times.
     */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost COST = DecodeCost.factors(1, 1.03, 1.1);
    /** Scan. */
    @Measured(unit = SCAN, by = "scan of ints in radix")
    public static final double SCAN_NANOS = 0.25;
    /** Largest number of positions per wanted value with which whole vectors are still decoded. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSITY = 4;
    /** Least number of lanes in a chunk. */
    @Chosen(unit = "lanes", reason = "rows with fewer lanes are slow to read")
    public static final int LEAST_LANES = 16;
    /** Number of lanes with which a chunk's weight is twice its words. */
    @Chosen(unit = "lanes", reason = "set by hand; no measurement is on record")
    public static final int LANES_FOR_TWICE = 8;
    /** Bytes of bitpack per byte that radix must save. */
    @Chosen(unit = "bytes per byte saved", reason = "less than 2 % is not worth slower reads")
    public static final int SAVES = 50;

    private Radix() {}
  }

  /** Patched frame of reference: form {@code patched}. */
  public static final class Patched {
    /** Decoding checks each value for the escape code, and reads exceptions. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost COST = DecodeCost.factors(1, 1.03, 1.05);
    /** Scan without exceptions. */
    @Measured(unit = SCAN, by = "scan of ints in patched, minus its exceptions")
    public static final double SCAN_NANOS = 0.1;
    /** Time that an exception adds to a scan. */
    @Measured(unit = "ns per exception", by = "scans of ints in patched with many exceptions and with few")
    public static final double EXCEPTION_NANOS = 2.2;
    /** Time per value that a read of 1 % of the values adds, at width 0 with many exceptions. */
    @Measured(unit = SCAN, by = "read of 1 % of ints in patched of width 0, minus that in bitpack")
    public static final double SPARSE_NANOS = 0.12;
    /** Share of exceptions above which a width is not tried. */
    @Chosen(unit = "share of values", reason = "with more, no width is smaller than bitpack")
    public static final double MOST_EXCEPTIONS = 0.3;
    /** Share of changes above which width 0 is not tried. */
    @Chosen(unit = "share of values", reason = "with more, hardly any value is a useful base; set by hand")
    public static final double MOST_CHANGES = 0.8;
    /** Values per exception below which sparse reads are slow in a chunk of width 0. */
    @Chosen(unit = "values per exception", reason = "with more exceptions, searches build a directory")
    public static final int VALUES_PER_SEARCHED = 16;
    /** Values per exception below which a chunk is not read as runs. */
    @Chosen(unit = "values per exception", reason = BY_HAND)
    public static final int VALUES_PER_EXCEPTION = 16;
    /** Time of a search for an exception. */
    @Chosen(unit = "words of a directory built in the same time", reason = BY_HAND)
    public static final int SEARCH_COST = 8;
    /** Positions per wanted value up to which whole vectors are decoded, with codes. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSITY = 4;
    /** Positions per wanted value up to which whole vectors are decoded, at width 0. */
    @Measured(unit = GAP, by = BY_POSITION + ", of width 0")
    public static final int SPARSE_DENSITY = 3;

    private Patched() {}
  }

  /** Dictionary of a chunk's ints: form {@code dictionary}. */
  public static final class Dictionary {
    /** Decoding loads an entry per value from a bit-packed dictionary. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost COST = DecodeCost.factors(1, 1.06, 1.25);
    /** Scan, which loads an entry per value. */
    @Measured(unit = SCAN, by = "scan of ints in dictionary")
    public static final double SCAN_NANOS = 0.5;
    /** Largest number of positions per wanted value with which whole vectors are still decoded. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSITY = 2;
    /** Values per read from which the entries are unpacked. */
    @Chosen(unit = "values", reason = BY_HAND)
    public static final int LEAST_TO_UNPACK = 128;

    private Dictionary() {}
  }

  /** Run-end and run-length encoding: forms {@code runend} and {@code rle}. */
  public static final class Runs {
    /** Cost of runend, which decodes by a loop per run. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost COST = DecodeCost.factors(1, 1.05, 1.25);
    /** Cost of rle, which decodes the whole chunk before a single value can be read. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost RUN_LENGTH_COST = DecodeCost.factors(1.02, DecodeCost.NEVER, DecodeCost.NEVER);
    /** Scan of a long run. */
    @Measured(unit = SCAN, by = "scan of ints in runend, minus its runs")
    public static final double SCAN_NANOS = 0.08;
    /** Time per run that a scan adds, because the processor cannot predict where a run ends. */
    @Measured(unit = "ns per run", by = "scans of ints in runend with short runs and with long ones")
    public static final double RUN_NANOS = 5.5;
    /** Changes in four values above which runend is not tried. */
    @Chosen(unit = "changes per 4 values", reason = "with more runs, no form of runs is much smaller")
    public static final int MOST_CHANGES = 3;
    /** Runs are read value by value if their mean length is less than this. */
    @Chosen(unit = "values", reason = BY_HAND)
    public static final int SHORT = 8;
    /** Runs per read below which all runs are unpacked. */
    @Chosen(unit = "runs per read", reason = BY_HAND)
    public static final int READS_PER_RUN = 2;
    /** Time of a search for a run, apart from its steps. */
    @Chosen(unit = "words of a directory built in the same time", reason = BY_HAND)
    public static final int SEARCH_COST = 2;
    /** Steps of a search if each value is a run. A step compares eight of the run ends among 256 values. */
    @Chosen(unit = "steps", reason = "derived: 256 / 8")
    public static final int STEPS_PER_RUN = 256 / 8;
    /** Greatest factor by which later reads of a chunk are expected to exceed the positions of the current read. */
    @Chosen(unit = "factor", reason = "predicted reads are not certain")
    public static final int MOST_VECTORS = 8;
    /** Values per read from which all runs are unpacked. */
    @Chosen(unit = "values", reason = BY_HAND)
    public static final int LEAST_TO_UNPACK = 256;
    /** Positions per wanted value up to which whole vectors are decoded. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSITY = 3;

    private Runs() {}
  }

  /** Differences of neighbours: form {@code delta}. */
  public static final class Delta {
    /** A single read adds up 64 differences on average. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost COST = DecodeCost.factors(1, 1.15, 2).perNumber(0, 0.05, 0.3);
    /** Scan, in which each value depends on the one before. */
    @Measured(unit = SCAN, by = "scan of ints in delta")
    public static final double SCAN_NANOS = 0.8;
    /** Time per value that a read of 1 % of the values adds. */
    @Measured(unit = SCAN, by = "read of 1 % of ints in delta, minus that in bitpack")
    public static final double SPARSE_NANOS = 0.45;
    /** Positions per wanted value up to which whole vectors are decoded. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSITY = 100;
    /** Distance of two single reads up to which a whole vector is decoded, for ints and numbers. */
    @Measured(unit = "values", by = ALONE)
    public static final int NEAR = 64;

    private Delta() {}
  }

  /** Entropy coding: form {@code tans}. */
  public static final class Entropy {
    /** Cost of decoding a block of 1,024 values for each value that is read alone. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost COST = DecodeCost.factors(1.02, DecodeCost.NEVER, DecodeCost.NEVER);
    /** Scan, for which eight coders take turns. */
    @Measured(unit = SCAN, by = "scan of ints in tans")
    public static final double SCAN_NANOS = 1.9;
    /** Time to make the table of a chunk. */
    @Measured(unit = "ns per chunk", by = "scan of 1,024 ints in tans, minus that of as many in a long chunk")
    public static final double TABLE_NANOS = 3200;
    /** Time per value that a read of 1 % of the values adds: nearly all blocks are decoded. */
    @Measured(unit = SCAN, by = "read of 1 % of ints in tans, minus that in bitpack")
    public static final double SPARSE_NANOS = 1.9;
    /** Positions per wanted value up to which whole vectors are decoded. */
    @Chosen(unit = GAP, reason = "a single read decodes as much")
    public static final int DENSITY = 1024;
    /** Distance of two single reads up to which a whole vector is decoded. */
    @Chosen(unit = "values", reason = "a single read decodes as much")
    public static final int NEAR = 1024;
    /** Least changes from one value to the next. */
    @Chosen(unit = "share of values", reason = "with fewer, forms of runs are smaller, and trials take time")
    public static final double LEAST_CHANGES = 0.1;

    private Entropy() {}
  }

  /** LZ4 and Zstandard. */
  public static final class Codecs {
    /** Cost of LZ4. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost LZ4_COST = DecodeCost.factors(1.03, 1.12, 2).perNumber(0, 0.12, 0.4);
    /** Cost of Zstandard, which decompresses several times as slowly as LZ4. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost ZSTD_COST =
        DecodeCost.factors(1.03, DecodeCost.NEVER, DecodeCost.NEVER).perNumber(0.01, 0, 0);
    /** Factor on the size of stock's column with Zstandard, up to which directly readable chunks are kept. */
    @Chosen(unit = "factor", reason = "promise of target smaller")
    public static final double ALLOWED_OVER_ZSTD = 1.02;
    /**
     * Under {@link OptimizationTarget#FASTER}, directly readable chunks are kept up to this factor times the size of
     * the stock column with any codec.
     */
    @Chosen(unit = "factor", reason = "promise of target faster")
    public static final double ALLOWED_IF_FASTER = 1.1;
    /** Scan of compressed ints. */
    @Measured(unit = SCAN, by = "scan of ints in bytepack under LZ4")
    public static final double SCAN_NANOS = 2.8;
    /**
     * Factor by which the quick LZ4 block of another inner form may decompress more slowly than that of plain values.
     * The thorough level finds more and shorter matches than the quick level in plain values, and fewer and longer ones
     * in other forms.
     */
    @Chosen(unit = "factor", reason = "then thorough blocks scan as fast as quick ones")
    public static final double PACE = 1.5;

    /** LZ4: time per decompressed byte, apart from sequences. */
    @Measured(unit = "ns per byte", by = "LZ4 of bytes without a match")
    public static final double LZ4_BYTE_NANOS = 0.04;
    /** LZ4: time per sequence whose match is not near. */
    @Measured(unit = "ns per sequence", by = "LZ4 of matches far away, minus the bytes")
    public static final double LZ4_FAR_NANOS = 2;
    /** LZ4: time per sequence with a near match, which starts 8 to 15 bytes before its output and overlaps it. */
    @Measured(unit = "ns per sequence", by = "LZ4 of short matches 8 bytes before, minus the bytes")
    public static final double LZ4_NEAR_NANOS = 10;
    /** LZ4: additional time per byte of a near match. */
    @Measured(unit = "ns per byte", by = "LZ4 of long matches 8 bytes before, minus the bytes and sequences")
    public static final double LZ4_NEAR_BYTE_NANOS = 0.02;
    /** LZ4: least distance of a near match. */
    @Chosen(unit = "bytes", reason = "each step of the copy waits for the previous one")
    public static final int LZ4_LEAST_NEAR = 8;
    /** LZ4: greatest distance of a near match. */
    @Chosen(unit = "bytes", reason = "each step of the copy waits for the previous one")
    public static final int LZ4_MOST_NEAR = 15;

    /** Weight in bytes up to which chunks are not compressed. */
    @Chosen(unit = "bytes", reason = "smaller chunks do not shrink, because a codec adds a header")
    public static final int LEAST_TO_COMPRESS = 16;
    /** Number of similar-sized chunks that are not compressed after all codecs failed to save enough. */
    @Chosen(unit = "chunks", reason = "chunks of a column are similar, and trials take most of the time")
    public static final int CHUNKS_PER_VAIN_TRIAL = 3;
    /** Relative difference in bytes per value below which chunks are of similar size. */
    @Chosen(unit = "share", reason = "set by hand; no measurement is on record")
    public static final double ALIKE = 0.03;
    /** Consecutive chunks that use one measured thorough size, including the measured chunk. */
    @Chosen(unit = "chunks", reason = "thorough compression takes most of the time of encoding")
    public static final int USES_PER_MEASUREMENT = 16;
    /** Safety factor on estimated thorough sizes. */
    @Chosen(unit = "factor", reason = "a chunk may compress a little better than the one that was measured")
    public static final double ESTIMATE_MARGIN = 0.98;

    private Codecs() {}
  }

  /** Stock Druid's columns. */
  public static final class Stock {
    /** Scan of a long or double, apart from LZ4 sequences. */
    @Measured(unit = SCAN, by = "scan of stock's longs under LZ4, without a match")
    public static final double WIDE_NANOS = 0.35;
    /** Scan of a float, apart from LZ4 sequences. */
    @Measured(unit = SCAN, by = "scan of stock's floats under LZ4, without a match")
    public static final double NARROW_NANOS = 0.16;
    /** Blocks that use one measured block. */
    @Chosen(unit = "blocks", reason = "blocks of a column are similar")
    public static final int USES_PER_BLOCK = 32;
    /** Ratio of two times under the quick compressor up to which blocks are alike. */
    @Chosen(unit = "factor", reason = "with 1.5 a tenth fewer of real blocks are measured, and more answers are wrong")
    public static final double ALIKE = 1.2;
    /** Relative difference of an estimate from the measured time. */
    @Chosen(unit = "share", reason = "with .1 a fifth more of real blocks are measured")
    public static final double PRECISION = 0.05;

    private Stock() {}
  }

  /** The size of chunks. */
  public static final class Chunks {
    /** Share of one large chunk's weight below which a chunk per block is written instead. */
    @Chosen(unit = "share", reason = "more chunks need more loads to read")
    public static final double SPLIT_SAVES = 0.97;
    /** Values of a block per difference in changes above which blocks differ. */
    @Chosen(unit = "values", reason = "set by hand; no measurement is on record")
    public static final int VALUES_PER_CHANGE = 8;
    /** Sample size for the estimate of distinct values. */
    @Chosen(unit = "values", reason = "a sample takes little of the time of a chunk's statistics")
    public static final int SAMPLE = 256;

    private Chunks() {}
  }

  /** Frames of numbers, and forms without a frame. Times of frames are added to those of their ints. */
  public static final class Numbers {
    /** Scan of a linear frame, for longs and floats. */
    @Measured(unit = SCAN, by = "scan of longs in a linear frame, minus its ints")
    public static final double LINEAR_NANOS = 0.2;
    /** Scan of a linear frame, for doubles. */
    @Measured(unit = SCAN, by = "scan of doubles in a linear frame, minus its ints")
    public static final double LINEAR_DOUBLE_NANOS = 0.42;
    /** Scan of decimal doubles, which divides each. */
    @Measured(unit = SCAN, by = "scan of doubles in a decimal frame, minus its ints")
    public static final double DECIMAL_NANOS = 0.5;
    /** Scan of decimal floats. */
    @Measured(unit = SCAN, by = "scan of floats in a decimal frame, minus its ints")
    public static final double DECIMAL_FLOAT_NANOS = 0.42;
    /** Scan of differences of longs, in which each number depends on the one before. */
    @Measured(unit = SCAN, by = "scan of longs in a delta frame, minus its ints")
    public static final double DELTA_NANOS = 1;
    /** Scan of a dictionary, which loads an entry per number. */
    @Measured(unit = SCAN, by = "scan of longs in a dictionary frame, minus its ints")
    public static final double DICTIONARY_NANOS = 0.85;
    /** Scan of raw numbers, plain or compressed. */
    @Chosen(unit = SCAN, reason = "0: stock's column reads the same bytes, and is no faster")
    public static final double RAW_NANOS = 0;
    /** Scan of packed longs of 33 bits or more. */
    @Measured(unit = SCAN, by = "scan of longs in wide")
    public static final double WIDE_NANOS = 0.45;
    /** Scan of numbers that are assembled from two parts. */
    @Measured(unit = SCAN, by = "scan of doubles in split")
    public static final double SPLIT_NANOS = 0.8;
    /** Cost of the delta frame: a single read adds up 64 differences on average. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost DELTA_COST = DecodeCost.factors(1, 1.15, 2).perNumber(0, 0.07, 0.4);
    /** Cost of the dictionary frame, which loads an entry per number. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost DICTIONARY_COST = DecodeCost.factors(1, 1.05, 1.15);
    /** Cost of split, which assembles each number from two parts. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost SPLIT_COST = DecodeCost.factors(1, 1.08, 1.3);

    /** Values per exception below which a linear frame is not tried. */
    @Chosen(unit = "values per exception", reason = "other forms suit chunks with more exceptions")
    public static final int VALUES_PER_EXCEPTION = 16;
    /** Sample size for the median and the number of digits. */
    @Chosen(unit = "values", reason = "a sample takes little of the time of a chunk's statistics")
    public static final int SAMPLE = 64;
    /** Bits of an exception in a decimal frame. */
    @Chosen(unit = "bits", reason = "derived: 64 bits for the value, and its position")
    public static final int EXCEPTION_BITS = 80;
    /** Sample size for the estimate of distinct numbers. */
    @Chosen(unit = "values", reason = "a sample takes little of the time of a chunk's statistics")
    public static final int DISTINCT_SAMPLE = 256;
    /** Share of distinct numbers in the sample above which a dictionary is not tried. */
    @Chosen(unit = "share of values", reason = "more entries use the bytes that they save")
    public static final double MOST_DISTINCT_IN_SAMPLE = 0.8;
    /** Numbers per entry below which a dictionary is not tried. */
    @Chosen(unit = "values per entry", reason = "more entries use the bytes that they save")
    public static final int VALUES_PER_ENTRY = 4;

    /** Positions per wanted number up to which whole vectors are decoded, in the delta frame. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSE_DELTAS = 100;
    /**
     * Positions per wanted number up to which whole vectors are decoded, in a linear or decimal frame with exceptions.
     */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSE_EXCEPTIONS = 16;
    /** Positions per wanted number up to which whole vectors are decoded, for packed longs. */
    @Measured(unit = GAP, by = BY_POSITION)
    public static final int DENSE_LONGS = 4;
    /** Numbers read by position from which a dictionary's entries are copied. */
    @Chosen(unit = "values", reason = BY_HAND)
    public static final int LEAST_TO_COPY = 64;
    /** Runs per vector below which runs are long, and are read by a loop per run. */
    @Chosen(unit = "runs per 512 values", reason = BY_HAND)
    public static final int FEW_RUNS = 24;

    private Numbers() {}
  }

  /** Filters on chunks: which values a chunk compares, and how. */
  public static final class Filters {
    /** Values are looked up in a bit set if there are more ranges of ints than this. */
    @Chosen(unit = "ranges", reason = BY_HAND)
    public static final int MOST_RANGES = 4;
    /** Greatest number of ints in a bit set. */
    @Chosen(unit = "ints", reason = "one bit per int, 8 KiB")
    public static final int MOST_IN_SET = 1 << 16;
    /** Values per possible int of a chunk from which a predicate is tested once for each possible int. */
    @Chosen(unit = "values per int", reason = "a test may be slow, and a chunk may not have all ints of the range")
    public static final int VALUES_PER_TEST = 2;
    /**
     * Possible ints per value of a chunk above which a single wanted int is assumed to be rare, and is searched for
     * accordingly.
     */
    @Chosen(unit = "ints per value", reason = "with more, most ints do not occur, as in keys")
    public static final int INTS_PER_VALUE = 4;
    /** Values per wanted number from which all wanted numbers are converted to ints. */
    @Chosen(unit = "values per number", reason = BY_HAND)
    public static final int VALUES_PER_LISTED = 16;
    /** Number of ranges above which numbers are looked up instead of compared, if the ranges have few numbers. */
    @Chosen(unit = "ranges", reason = BY_HAND)
    public static final int MOST_TO_SEARCH = 4;
    /** Numbers per range up to which they are few. */
    @Chosen(unit = "numbers per range", reason = "even in a random list some numbers are consecutive")
    public static final long NUMBERS_PER_RANGE = 2;
    /** Bits of the hash filter per number of a list. */
    @Chosen(unit = "bits per number", reason = "1 in 64 other numbers is a false positive")
    public static final long HASHES_PER_NUMBER = 64;
    /** Base 2 logarithm of the most bits of the hash filter. */
    @Chosen(unit = "log2 of bits", reason = "128 KiB of bits fit into a cache")
    public static final int MAX_LOG_HASHES = 20;
    /** Bytes of the hash table per int of a list. */
    @Chosen(unit = "bytes per int", reason = "1 in 128 other ints is a false positive")
    public static final int PLACES_PER_INT = 128;
    /** Base 2 logarithm of the least bytes of the hash table. */
    @Chosen(unit = "log2 of bytes", reason = "4 KiB are cleared for each filter of a chunk")
    public static final int LEAST_LOG_TABLE = 12;
    /** Base 2 logarithm of the most bytes of the hash table. */
    @Chosen(unit = "log2 of bytes", reason = "64 KiB fit into a cache")
    public static final int MOST_LOG_TABLE = 16;

    private Filters() {}
  }

  /** Codings of texts. */
  public static final class Texts {
    /** Cost of front coding with symbols in suffixes. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost FRONT_SUFFIX_SYMBOLS_COST = DecodeCost.factors(1, 1.15, 2.5);
    /** Cost of chained buckets, in which each text depends on the one before. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost CHAINED_COST = DecodeCost.factors(1.02, 1.5, DecodeCost.NEVER);
    /** Cost of patterns. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost PATTERN_COST = DecodeCost.factors(1, 1.05, 1.3);
    /** Cost of blocks under Zstandard. */
    @Chosen(unit = BYTES, reason = "a text is read, and parts of texts are found, in up to four times Druid's time")
    public static final DecodeCost BLOCKS_COST = DecodeCost.factors(1.05, 3, DecodeCost.NEVER);

    /** Bytes of texts in the sample. */
    @Chosen(unit = "bytes", reason = "a sample takes little of the time of writing a dictionary")
    public static final int SAMPLE_BYTES = 1 << 17;
    /** Size in bytes above which a bucket is not sampled. */
    @Chosen(unit = "bytes", reason = "the sample keeps whole buckets on the heap")
    public static final int LARGEST_SAMPLED = 1 << 24;
    /** Length in bytes of the longest text with which symbols and blocks are tried. */
    @Chosen(unit = "bytes", reason = "a bucket of longer texts and its codes would fill the heap")
    public static final int LONGEST_CODED = 1 << 22;
    /** Least bytes of texts with which symbols and blocks are tried. */
    @Chosen(unit = "bytes", reason = "symbols save less than they take")
    public static final int LEAST_CODED = 1 << 9;

    /** Bytes of texts that are encoded to estimate the size of an encoding of another jar. */
    @Chosen(unit = "bytes", reason = "as many as of blocks under the default; encoding them takes milliseconds")
    public static final int ADDED_SAMPLE_BYTES = 1 << 19;

    /** Mean length of separators of blocks from which they are chained. */
    @Chosen(unit = "bytes", reason = "shorter ones save less than their slower search is worth")
    public static final int LONG_SEPARATOR = 32;

    /** Rounds of symbol training. */
    @Chosen(unit = "rounds", reason = "as in FSST (Boncz, Neumann and Leis)")
    public static final int SYMBOL_ROUNDS = 5;
    /** Bytes that a one-byte symbol is assumed to save, because without a symbol the byte needs an escape. */
    @Chosen(unit = "bytes", reason = "with 1 texts of wikiticker are 2 % larger, with 8 one percent")
    public static final int SINGLE_BYTE = 3;
    /** Least number of occurrences of a symbol. */
    @Chosen(unit = "occurrences", reason = "one saves nothing")
    public static final int LEAST_COUNT = 2;

    /** Mean length of texts from which blocks are tried under the default. */
    @Chosen(unit = "bytes", reason = "shorter texts are read several times faster in other codings")
    public static final int LONG_TEXT = 1 << 8;
    /** Greatest mean size of a block of more than 1 &lt;&lt; {@link #LOG_LONG_TEXTS} texts, before compression. */
    @Chosen(unit = "bytes", reason = "larger blocks are smaller in all, and take longer to read one text")
    public static final int LEAST_BLOCK_BYTES = 1 << 10;
    /** Base 2 logarithm of the texts of a block that may be larger. */
    @Chosen(unit = "log2 of texts", reason = "to find one text among more takes longer")
    public static final int LOG_LONG_TEXTS = 4;
    /** Greatest mean size of a block before compression, under the default. */
    @Chosen(unit = "bytes", reason = "larger blocks are smaller in all, and take longer to read one text")
    public static final int BLOCK_BYTES = 3 << 10;
    /** Greatest mean size of a block before compression, under {@link OptimizationTarget#SMALLER}. */
    @Chosen(unit = "bytes", reason = "larger blocks are smaller in all, and take longer to read one text")
    public static final int SMALLER_BLOCK_BYTES = 1 << 13;
    /** Compression level of blocks under the default. */
    @Chosen(unit = "level", reason = "higher levels save little and take longer to write")
    public static final int BLOCK_LEVEL = 3;
    /** Compression level of blocks under {@link OptimizationTarget#SMALLER}. */
    @Chosen(unit = "level", reason = "level 12 saves 2 % more of event logs and takes twice as long")
    public static final int SMALLER_BLOCK_LEVEL = 9;
    /** Compression level of blocks of few bytes under {@link OptimizationTarget#SMALLER}. */
    @Chosen(unit = "level", reason = "saves 5 to 10 % more than level 9, and takes ten times as long")
    public static final int THOROUGH_BLOCK_LEVEL = 19;
    /** Bytes of texts up to which blocks are compressed thoroughly. */
    @Chosen(unit = "bytes", reason = "they take about a second")
    public static final int MOST_THOROUGH = 1 << 22;
    /** Compression level with which dictionaries are compared in training. */
    @Chosen(unit = "level", reason = "training with level 19 takes five times as long")
    public static final int TRAINING_LEVEL = 3;
    /** Bytes of the sample up to which training for thorough compression uses its level. */
    @Chosen(unit = "bytes", reason = "training takes less than half a second")
    public static final int MOST_THOROUGH_SAMPLE = 1 << 19;
    /** Bytes of texts per byte in the sample of blocks, under the default. */
    @Chosen(unit = "bytes per byte", reason = "training then takes about half as long as compressing")
    public static final int BYTES_PER_SAMPLED = 8;
    /** Bytes of texts per byte in the sample of blocks, under {@link OptimizationTarget#SMALLER}. */
    @Chosen(unit = "bytes per byte", reason = "training takes about as long as compressing does")
    public static final int SMALLER_BYTES_PER_SAMPLED = 4;
    /** Least bytes of the sample of blocks. */
    @Chosen(unit = "bytes", reason = "set by hand; no measurement is on record")
    public static final int LEAST_BLOCK_SAMPLE = 1 << 14;
    /** Most bytes of the sample of blocks, under the default. */
    @Chosen(unit = "bytes", reason = "training takes .15 seconds; twice as much saves 6 % of event logs")
    public static final int MOST_BLOCK_SAMPLE = 1 << 19;
    /** Most bytes of the sample of blocks, under {@link OptimizationTarget#SMALLER}. */
    @Chosen(unit = "bytes", reason = "training takes .3 seconds; four times as much saves .5 % of event logs")
    public static final int SMALLER_MOST_BLOCK_SAMPLE = 1 << 20;
    /** Size of the sample in bytes above which training is slow, and a sketch is trained first. */
    @Chosen(unit = "bytes", reason = "above, training takes tens of milliseconds")
    public static final int SLOW_SAMPLE = 1 << 18;
    /** Bytes of texts per byte of the dictionary. */
    @Chosen(unit = "bytes per byte", reason = "the dictionary is stored as well")
    public static final int BYTES_PER_DICTIONARY = 24;
    /** Least bytes of a dictionary. */
    @Chosen(unit = "bytes", reason = "fewer are hardly more than the statistics that it starts with")
    public static final int LEAST_DICTIONARY = 1 << 9;
    /** Most bytes of a dictionary. */
    @Chosen(unit = "bytes", reason = "each reader loads it")
    public static final int MOST_DICTIONARY = 1 << 16;
    /** Bytes of compressed texts per byte of the dictionary below which a smaller dictionary is tried. */
    @Chosen(unit = "bytes per byte", reason = "half of a smaller dictionary saves little; training takes long")
    public static final int BYTES_PER_SHARE = 8;
    /** Blocks of the sample per block that is measured, and not trained on. */
    @Chosen(unit = "blocks", reason = "blocks that were trained on are smaller than others")
    public static final int BLOCKS_PER_HELD = 8;
    /** Least blocks of a sample in which measured blocks are not trained on. */
    @Chosen(unit = "blocks", reason = "of fewer, none can be spared")
    public static final int LEAST_TO_HOLD = 128;
    /** Blocks of the sample per block that a sketch is trained on. */
    @Chosen(unit = "blocks", reason = "a sketch takes a small part of the time of training")
    public static final int BLOCKS_PER_SKETCHED = 4;
    /** Most bytes of a sketch's dictionary. */
    @Chosen(unit = "bytes", reason = "a sketch takes a small part of the time of training")
    public static final int SKETCHED_DICTIONARY = 1 << 15;
    /** Factor by which a sketch may exceed the best other choice, so that training may still be worth its time. */
    @Chosen(unit = "factor", reason = "a full training of log lines makes blocks half as large as a sketch")
    public static final double SKETCH_MARGIN = 1.5;
    /** Approximate number of sampled blocks from which sizes are estimated. */
    @Chosen(unit = "blocks", reason = "a sample takes little of the time of training")
    public static final int MEASURED_BLOCKS = 64;

    private Texts() {}
  }

  /** Byte strings: values of complex metrics. */
  public static final class Blobs {
    /** Cost of a value by its id. */
    @Chosen(unit = BYTES, reason = "a value is found by one more read, far less than its aggregation takes")
    public static final DecodeCost DISTINCT_COST = DecodeCost.factors(1, 1.01, 1.5);
    /** Cost of words, beside that of single words. */
    @Chosen(unit = BYTES, reason = "a value is put together in 50 to 300 ns; 'faster' unites sketches at Druid's speed")
    public static final DecodeCost WORDS_COST = DecodeCost.factors(1, 1.02, 10);
    /** Cost of a word that is found by its id. */
    @Chosen(unit = BYTES, reason = "3 to 8 ns a word; a value of 100 bytes is united in 200 to 1,000 ns")
    public static final DecodeCost LOOK_UP_COST = DecodeCost.factors(1, 1, 1).perNumber(0, .75, 3);
    /** Cost of a word or id in an Elias-Fano code. */
    @Chosen(unit = BYTES, reason = "2 to 4 ns a word more than at a fixed width, and more where values are short")
    public static final DecodeCost ASCENDING_COST = DecodeCost.factors(1, 1, 1).perNumber(0, .5, 1.5);
    /** Cost of a byte of words whose bytes are coded. */
    @Chosen(unit = BYTES, reason = "1 to 3 ns a byte; under the default a code must save half of the bytes")
    public static final DecodeCost CODED_COST = DecodeCost.factors(1, 1, 1).perNumber(0, .5, 1);
    /** Cost of blocks under LZ4. */
    @Chosen(unit = BYTES, reason = "used where nothing else is as small; under 'faster' where they save three quarters")
    public static final DecodeCost LZ4_COST = DecodeCost.factors(1, 1, 4);
    /** Cost of blocks under Zstandard. */
    @Chosen(unit = BYTES, reason = "a value read alone decompresses a block of 64 KiB")
    public static final DecodeCost ZSTD_COST = DecodeCost.factors(1.05, DecodeCost.NEVER, DecodeCost.NEVER);
    /** Bytes of values from which a section is encoded. */
    @Chosen(unit = "bytes", reason = "bounds the heap of encoding; equal words of two sections are stored twice")
    public static final int SECTION_BYTES = 1 << 25;
    /** Bytes of values by which it is chosen how they are cut into words. */
    @Chosen(unit = "bytes", reason = "values of one type are cut alike, and each cut that is tried takes two passes")
    public static final int SAMPLE_BYTES = 1 << 22;
    /** Greatest number of distinct words that are counted. */
    @Chosen(unit = "words", reason = "their hash table takes 48 MiB")
    public static final int MOST_WORDS = 1 << 21;
    /** Least size of an entry in a dictionary of words, for estimates. */
    @Chosen(unit = "bits", reason = "the share of a group's head")
    public static final int LEAST_ENTRY_BITS = 4;
    /** Bits of an entry in a dictionary of words beyond what its order saves, for estimates. */
    @Chosen(unit = "bits", reason = "derived: log2 of the 64 words of a group, and the share of the group's head")
    public static final double GROUP_BITS = 7.5;
    /** Least bytes of a value's words for which codes of bytes are considered. */
    @Chosen(unit = "bytes", reason = "the entropy of fewer bytes is seemingly low")
    public static final int LEAST_CODED = 1 << 9;
    /** Bits per byte up to which bytes are coded. */
    @Chosen(unit = "bits", reason = "a byte takes 2 to 3 ns to decode")
    public static final double MOST_CODED_BITS = 7;
    /** Greatest number of words that a reader decodes from a dictionary. */
    @Chosen(unit = "words", reason = "2 MiB for each reader")
    public static final int MOST_DECODED = 1 << 18;
    /** Words of a dictionary per word that was looked up, from which all are decoded. */
    @Chosen(unit = "words per look-up", reason = "to decode a word in order takes about a quarter of a look-up")
    public static final int WORDS_PER_LOOK_UP = 4;
    /** Greatest number of distinct values that a reader keeps. */
    @Chosen(unit = "values", reason = "most columns of heads have fewer")
    public static final int MOST_KNOWN = 1 << 12;
    /** Greatest size of distinct values that a reader keeps. */
    @Chosen(unit = "bytes", reason = "64 KiB for each reader")
    public static final int MOST_KNOWN_BYTES = 1 << 16;
    /** Greatest number of distinct heads of values that a reader of words keeps. */
    @Chosen(unit = "values", reason = "256 KiB of their positions for each reader")
    public static final int MOST_HEADS = 1 << 16;
    /** Greatest size of distinct heads of values that a reader of words keeps. */
    @Chosen(unit = "bytes", reason = "1 MiB for each reader")
    public static final int MOST_HEAD_BYTES = 1 << 20;
    /** Values of a block of 64 that were read, from which a reader of words decodes all values of the next. */
    @Chosen(unit = "values", reason = "to decode a value among all takes about a quarter of a value alone")
    public static final int LEAST_READS_OF_BLOCK = 16;
    /** Greatest size of the values of a block that are decoded at once. */
    @Chosen(unit = "bytes", reason = "an object that refers to one of them keeps all; they and their words fit caches")
    public static final int MOST_BYTES_OF_BLOCK = 1 << 15;
    /** Bytes of values from which their distinct ones are judged. */
    @Chosen(unit = "bytes", reason = "fewer are soon encoded")
    public static final int LEAST_TO_JUDGE = 1 << 20;
    /** Share of the bytes of values that their distinct ones may have. */
    @Chosen(unit = "share", reason = "ids would take what equal values save")
    public static final double MOST_DISTINCT = .9;

    private Blobs() {}
  }

  /** Posting lists, and sets of rows. */
  public static final class Postings {
    /** Cost of form {@code packed}. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost PACKED_COST = DecodeCost.factors(1, 2.5, 2.5);
    /** Cost of form {@code eliasfano}. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost ELIAS_FANO_COST = DecodeCost.factors(1, 2.7, 2.8);
    /** Cost of form {@code complement}. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost COMPLEMENT_COST = DecodeCost.factors(1, 3, 3);
    /** Cost of form {@code runs}. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost RUNS_COST = DecodeCost.factors(1, 2, 3);
    /** Cost of form {@code delta}. */
    @Chosen(unit = BYTES, reason = WEIGHT)
    public static final DecodeCost DELTA_COST = DecodeCost.factors(1.01, 1.3, 2);
    /** Segment rows per row of the densest list that is stored as {@code delta}. */
    @Chosen(unit = "rows per posting", reason = "Roaring intersects denser ones as bit sets, far faster")
    public static final int ROWS_PER_DELTA = 16;
    /** Segment rows per row of a list below which the list is dense, and is stored as a bit set. */
    @Measured(unit = "rows per posting", by = "a row of a list that is decoded / a row of a scan of ids")
    public static final int ROWS_PER_DENSE_POSTING = 12;
    /** Rows per run from which lists are stored as runs. */
    @Chosen(unit = "rows per run", reason = "forms of single rows take too long to read runs")
    public static final int POSTINGS_PER_RUN = 2;
    /** Mean length of runs below which they are read as rows. */
    @Chosen(unit = "rows per run", reason = BY_HAND)
    public static final int LEAST_RUN = 8;

    /** Segment rows per row of a set above which ascending rows are kept as a list, not as bits. */
    @Chosen(unit = "rows per row of the set", reason = "as in Roaring, whose arrays have 1 row in 16 at most")
    public static final int ASCENDING_PER_ROW = 16;
    /**
     * Ratio of the segment's rows to the rows of a set above which rows that do not ascend are kept as a list, not as
     * bits.
     */
    @Chosen(unit = "rows per row of the set", reason = "sooner, as lists would have to be sorted; set by hand")
    public static final int OTHERS_PER_ROW = 40;
    /** Number of rows above which a set may use bits. */
    @Chosen(unit = "rows", reason = BY_HAND)
    public static final int LEAST_BITS = 64;
    /** Number of rows from which they are sorted by radix sort. */
    @Chosen(unit = "rows", reason = "fewer are sorted faster by comparisons; set by hand")
    public static final int LEAST_RADIX = 128;
    /** Number of rows above which the end of a container is found by binary search. */
    @Chosen(unit = "rows", reason = BY_HAND)
    public static final int MOST_WALKED = 1 << 12;

    private Postings() {}
  }

  /** Indexes: posting lists, scans and hash indexes. */
  public static final class Indexes {
    /** Time per byte of posting lists. */
    @Measured(unit = "ns per byte", by = "union of sparse lists")
    public static final double LIST_BYTE_NANOS = 1.5;
    /** Time per byte of dense lists, which are bitmaps. */
    @Measured(unit = "ns per byte", by = "union of dense lists")
    public static final double DENSE_BYTE_NANOS = .1;
    /** Time per list that does not follow the one before. */
    @Measured(unit = "ns per list", by = "union of scattered lists, minus their bytes")
    public static final double LIST_NANOS = 40;
    /** Time per row of the segment to compare an id with a range. */
    @Measured(unit = "ns per row", by = "scan of ids for a range")
    public static final double COMPARISON_NANOS = .32;
    /** Time per row of the segment to look up an id in a set. */
    @Measured(unit = "ns per row", by = "scan of ids for a set")
    public static final double LOOKUP_NANOS = .6;
    /** Segment rows per byte of lists that are mostly bitmaps. */
    @Chosen(unit = "rows per byte", reason = "a bitmap takes a byte for 8 rows of the containers that it has")
    public static final int ROWS_PER_DENSE_BYTE = 64;
    /**
     * Consecutive ascending look-ups after which the caller is assumed to iterate over all ids; inverting the column
     * then takes less time than more scans.
     */
    @Chosen(unit = "gets", reason = "more scans take longer than inverting; set by hand")
    public static final int MANY_GETS = 8;

    /** Number of first scans of a cursor, each of which may take as long as reading its column by position. */
    @Chosen(unit = "scans", reason = "Druid has to read these columns as well")
    public static final int FIRST_SCANS = 4;
    /** Time to read a row by position and to match it. */
    @Measured(unit = "ns per row", by = "one row in 16 of longs by position, with Druid's matcher of a range")
    public static final double READ_NANOS = 8;
    /** Time to match a row of a vector that is read. */
    @Measured(unit = "ns per row", by = "Druid's matcher of an or of 4 ranges, each, minus the read")
    public static final double MATCH_NANOS = 4;
    /** Time per row of a scan of numbers. */
    @Measured(unit = "ns per row", by = "scan of longs for a range")
    public static final double SCANNED_ROW_NANOS = .5;
    /** Scans of numbers that take as long as Druid's iteration over a bitmap of all rows. */
    @Measured(unit = "scans", by = "bitmap of most rows, asked for each as Druid does / scan of longs for a range")
    public static final int SCANS_PER_ITERATION = 14;
    /** Rows of a scan that takes as long as a union of two bitmaps; Druid orders filters by this cost. */
    @Chosen(unit = "rows", reason = "set by hand; only the order in which Druid asks filters rests on it")
    public static final int ROWS_PER_BITMAP = 1 << 16;
    /**
     * Segment rows per matching row from which an index pays where rows are read one by one. Such rows become results
     * at once, and a limit may end the query before most are read.
     */
    @Chosen(unit = "rows per row found", reason = "making a result takes that much longer than matching a row")
    public static final int ROW_BY_ROW = 16;

    /** Rows that a matcher would test per predicate call of a scan, from which the scan is used. */
    @Chosen(unit = "matches per test", reason = "a matcher may test fewer: an interval or a limit makes rows few")
    public static final int MATCHES_PER_TEST = 8;
    /** Rows to match per number of a list from which sorting the list pays for one segment. */
    @Chosen(unit = "rows per number", reason = "sorting a number takes about as long as matching this number of rows")
    public static final int ROWS_PER_LISTED = 16;
    /**
     * Greatest number of dictionary entries to read sequentially, per row whose entry would otherwise be read by
     * itself.
     */
    @Chosen(unit = "entries per match", reason = "to read an entry of a row may take 8 times as long, or more")
    public static final int ENTRIES_PER_MATCH = 8;
    /** Cost of a range of strings, in bitmaps to unite. */
    @Chosen(unit = "bitmaps per bitmap", reason = "Druid's own")
    public static final double RANGE_SCALE = 1;
    /** Mean gap between wanted values in a dictionary from which a search gallops instead of reading all entries. */
    @Chosen(unit = "entries per value", reason = "DictionarySearch has the times")
    public static final int GALLOPING_GAP = 4;
    /** Mean gap between wanted values in a dictionary from which each is searched for separately. */
    @Chosen(unit = "entries per value", reason = "DictionarySearch has the times")
    public static final int SINGLE_GAP = 32;

    private Indexes() {}
  }

  /** Hash indexes. */
  public static final class Hashes {
    /** Time to find a key's bucket, which is rarely in a cache. */
    @Measured(unit = "ns per key", by = "look-up of many keys that are absent, beyond the caches")
    public static final double KEY_NANOS = 150;
    /** Time to read a row at a random position. */
    @Measured(unit = "ns per row", by = "look-up of many keys that are there, minus that of absent ones")
    public static final double CANDIDATE_NANOS = 150;
    /** Greatest number of keys with which a scan compares each row; with more keys it looks up each row. */
    @Chosen(unit = "keys", reason = BY_HAND)
    public static final int MOST_COMPARED = 4;
    /** Time per row of a scan that looks up rows. */
    @Measured(unit = "ns per row", by = "scan of longs for a list of 1000")
    public static final double LOOKED_UP_ROW_NANOS = 2;
    /** Time per value to decode a whole chunk. */
    @Measured(unit = "ns per value", by = "scan of longs under LZ4")
    public static final double DECODED_NANOS = 3;
    /** Rows per bucket. */
    @Chosen(unit = "rows per bucket", reason = "a look-up compares the fingerprints of a bucket")
    public static final int ROWS_PER_BUCKET = 8;
    /** Rows of a key from which they are stored as a list. */
    @Chosen(unit = "rows", reason = "set by hand; no measurement is on record")
    public static final int LEAST_LISTED = 64;
    /** Rows of a key from which they are stored as a list, in a bucket with too many entries. */
    @Chosen(unit = "rows", reason = "saves entries")
    public static final int LEAST_LISTED_OF_MANY = 2;
    /** Greatest number of rows that are sorted by insertion. */
    @Chosen(unit = "rows", reason = BY_HAND)
    public static final int MOST_INSERTED = 256;

    private Hashes() {}
  }

  /** Ingestion into direct memory. */
  public static final class Ingestion {
    /** Greatest number of texts that are sorted by comparing strings. */
    @Chosen(unit = "texts", reason = "the library sorts it in place, and copies the array for longer ones")
    public static final int FEW_TEXTS = 15;

    private Ingestion() {}
  }
}
