// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.strings.BlockCoding;
import io.shapeshift.druid.form.strings.BlockTrainer;
import io.shapeshift.druid.form.strings.BucketWriter;
import io.shapeshift.druid.form.strings.ChainedCoding;
import io.shapeshift.druid.form.strings.FrontCoding;
import io.shapeshift.druid.form.strings.SymbolTrainer;
import io.shapeshift.druid.form.strings.TextCoding;
import io.shapeshift.druid.form.strings.TextCodings;
import io.shapeshift.druid.form.strings.TextPattern;
import io.shapeshift.druid.form.strings.Utf8;
import io.shapeshift.druid.form.strings.added.AddedCoding;
import io.shapeshift.druid.form.strings.added.AddedTexts;
import java.io.IOException;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * Choice of a coding for texts: the one with the least weight, which is its size times its decoding cost. Sizes of
 * codings without symbols are exact; others are extrapolated from a sample of buckets, spread evenly over the texts. A
 * coding that exceeds the greatest size of a dictionary is chosen only if all do. Except under the target for speed, a
 * coding that is larger than Druid's front coding is not chosen.
 *
 * @param coding    the coding
 * @param weight    its size times its decoding cost
 * @param most      greatest size in bytes with which it is still the best choice
 * @param otherwise the choice if the size turns out to be greater; null if the size is exact
 */
record CodingChoice(TextCoding coding, double weight, double most, @Nullable CodingChoice otherwise) {
  /** Greatest size of a dictionary in bytes, as of each part of a column. */
  private static final long MOST_BYTES = Integer.MAX_VALUE;
  /** Number of neighbouring texts in a sampled bucket, which is a bucket of the coding with symbols. */
  private static final int SAMPLED_SIZE = 1 << FrontCoding.LOG_SIZE_WITH_SYMBOLS;

  /** Chooses a coding for all texts. */
  static CodingChoice of(TextSpill texts, OptimizationTarget target) throws IOException {
    final Sample sample = new Sample();
    final ChainedSize chained = new ChainedSize();
    final TextPattern.Finder finder = new TextPattern.Finder();
    final long rawData = measure(texts, sample, chained, finder);
    final long limit = target == OptimizationTarget.FASTER ? Long.MAX_VALUE : chained.ofDruid();
    final CodingChoice exact = exact(texts, target, limit, rawData, chained.bytes, finder.pattern());
    if (texts.longest() > CostModel.Texts.LONGEST_CODED || rawData < CostModel.Texts.LEAST_CODED || sample.isEmpty()) {
      return exact;
    }
    final TextCoding symbols = sample.train();
    final CodingChoice best =
        exact.or(symbols, total(symbols, texts, (long) (sample.ratio(symbols) * rawData)), target, limit);
    return withAdded(texts, target, limit, withBlocks(texts, target, limit, chained.bytes, best));
  }

  /** Returns a coding with an estimated size if it is better than this choice, else this choice. */
  private CodingChoice or(TextCoding other, long bytes, OptimizationTarget target, long limit) {
    final double factor = other.cost().under(target).factor();
    return bytes * factor < weight && bytes <= Math.min(limit, MOST_BYTES)
           ? new CodingChoice(other, bytes * factor, Math.min((double) limit, weight / factor), this)
           : this;
  }

  /** Returns blocks if they are better than the best other choice, else that choice. */
  private static CodingChoice withBlocks(
      TextSpill texts, OptimizationTarget target, long limit, long chainedBytes, CodingChoice best) throws IOException {
    final double factor = CostModel.Texts.BLOCKS_COST.under(target).factor();
    final boolean areLong = texts.numBytes() / texts.size() >= CostModel.Texts.LONG_TEXT;
    if (factor == DecodeCost.NEVER || (target != OptimizationTarget.SMALLER && !areLong)) {
      return best;
    }
    final BlockTrainer trainer = new BlockTrainer(chainedBytes, texts.size(), target);
    final long separatorBytes = sample(texts, trainer.logSize(), trainer.every(), trainer::add);
    if (trainer.isSlow()
        && bytesOfBlocks(texts, trainer, separatorBytes, trainer.sketch()) * factor
           >= best.weight * CostModel.Texts.SKETCH_MARGIN) {
      return best;
    }
    final BlockCoding blocks = trainer.train();
    return best.or(blocks, bytesOfBlocks(texts, trainer, separatorBytes, blocks), target, limit);
  }

  private static long bytesOfBlocks(
      TextSpill texts, BlockTrainer trainer, long separatorBytes, BlockCoding blocks) {
    return total(blocks, texts, (long) (trainer.numBlocks() * trainer.bytesOf(blocks)) + separatorBytes);
  }

  /** Receiver of the texts of a bucket, each with slack behind it. */
  @FunctionalInterface
  private interface Sampler {
    void add(byte[][] texts, int[] lengths, int count);
  }

  /**
   * Passes on each bucket whose index is a multiple of {@code every}, and returns the approximate bytes of the
   * separators of all buckets.
   */
  private static long sample(TextSpill texts, int logSize, long every, Sampler sampler) throws IOException {
    final ChainedSize separators = new ChainedSize();
    final SeparatorFinder finder = new SeparatorFinder();
    try (TextSpill.Buckets buckets = texts.buckets(1 << logSize)) {
      for (long bucket = 0; buckets.next(); bucket++) {
        if (bucket % every == 0) {
          sampler.add(buckets.texts(), buckets.lengths(), buckets.count());
        }
        final int length = finder.next(buckets);
        if (bucket > 0) {
          separators.add(buckets.texts()[0], length);
        }
      }
    }
    return separators.ofDruid();
  }

  /** Returns the best encoding of another jar if it is better than the best other choice, else that choice. */
  private static CodingChoice withAdded(TextSpill texts, OptimizationTarget target, long limit, CodingChoice best)
      throws IOException {
    CodingChoice better = best;
    for (AddedTexts encoding : TextCodings.added()) {
      // Encodings of other jars rely on the order, which half of a surrogate pair may break.
      if (encoding.cost().under(target).factor() != DecodeCost.NEVER && texts.ascends()) {
        @Nullable final TextCoding coding = AddedCoding.learn(encoding, new SpilledTexts(texts));
        better = coding == null ? better : better.or(coding, bytesOfAdded(texts, coding), target, limit);
      }
    }
    return better;
  }

  private static long bytesOfAdded(TextSpill texts, TextCoding coding) throws IOException {
    final long every = Math.max(1, texts.numBytes() / CostModel.Texts.ADDED_SAMPLE_BYTES);
    final long[] plainAndEncoded = new long[2];
    try (BucketWriter writer = coding.writer()) {
      final long separatorBytes = sample(texts, coding.logSize(), every, (all, lengths, count) -> {
        plainAndEncoded[0] += Arrays.stream(lengths, 0, count).asLongStream().sum();
        plainAndEncoded[1] += writer.encode(all, lengths, count);
      });
      // The texts of a sample may be empty.
      final double ratio = plainAndEncoded[1] / (double) Math.max(1, plainAndEncoded[0]);
      return total(coding, texts, (long) (ratio * texts.numBytes()) + (coding.hasSeparators() ? separatorBytes : 0));
    }
  }

  /** Returns the best coding among those with exact sizes. */
  private static CodingChoice exact(
      TextSpill texts,
      OptimizationTarget target,
      long limit,
      long rawBytes,
      long chainedBytes,
      @Nullable TextPattern pattern
  ) {
    final CodingChoice raw = exact(FrontCoding.PLAIN, texts, rawBytes, target);
    final CodingChoice chained = exact(ChainedCoding.INSTANCE, texts, chainedBytes, target);
    CodingChoice best = raw.most > limit || raw.weight > chained.weight ? chained : raw;
    if (pattern != null) {
      final CodingChoice patterned = exact(pattern, texts, pattern.bytes(texts.size()), target);
      if (patterned.weight < best.weight && patterned.most <= limit) {
        best = patterned;
      }
    }
    return best;
  }

  private static CodingChoice exact(
      TextCoding coding, TextSpill texts, long dataBytes, OptimizationTarget target) {
    final long bytes = total(coding, texts, dataBytes);
    final double weight =
        bytes > MOST_BYTES ? Double.POSITIVE_INFINITY : bytes * coding.cost().under(target).factor();
    return new CodingChoice(coding, weight, (double) bytes, null);
  }

  /** Returns the size of the dictionary in bytes. */
  private static long total(TextCoding coding, TextSpill texts, long dataBytes) {
    final int bytes = (int) Math.min(Integer.MAX_VALUE, dataBytes);
    return dataBytes - bytes
        + new StringDictionaryHeader(coding, false, texts.size(), bytes, 0, texts.commonPrefix(), 0, 0).totalSize();
  }

  /** Reads all texts once, collects samples and sizes, and returns the data size of {@link FrontCoding#PLAIN}. */
  private static long measure(
      TextSpill texts, Sample sample, ChainedSize chained, TextPattern.Finder finder) throws IOException {
    final BucketSizes raw = new BucketSizes(FrontCoding.PLAIN);
    final long every = Math.max(1, texts.numBytes() / CostModel.Texts.SAMPLE_BYTES);
    long bytes = 0;
    try (TextSpill.Buckets buckets = texts.buckets(SAMPLED_SIZE)) {
      for (long bucket = 0; buckets.next(); bucket++) {
        final long size = raw.of(buckets.texts(), buckets.lengths(), buckets.count());
        bytes += size;
        for (int i = 0; i < buckets.count(); i++) {
          chained.add(buckets.texts()[i], buckets.lengths()[i]);
          finder.add(buckets.texts()[i], buckets.lengths()[i]);
        }
        if (bucket % every == 0 && size <= CostModel.Texts.LARGEST_SAMPLED) {
          sample.add(buckets, size);
        }
      }
    }
    return bytes;
  }

  /** Returns whether the encoded size is small enough. */
  boolean isSmallEnough(long bytes) {
    return otherwise == null || bytes <= most;
  }

  /** Size of {@link ChainedCoding} in bytes, which is that of Druid's front coding except for its offsets. */
  private static final class ChainedSize {
    private static final int BUCKET_SIZE = 1 << ChainedCoding.INSTANCE.logSize();
    private static final int BITS = 7;

    private byte[] last = new byte[64];
    private int lastLength;
    private long count;
    private long bytes;

    void add(byte[] text, int length) {
      final boolean isFirst = count++ % BUCKET_SIZE == 0;
      final int prefix = isFirst ? 0 : Utf8.commonPrefix(last, lastLength, text, length);
      bytes += (isFirst ? 0 : numberBytes(prefix)) + numberBytes(length - prefix) + length - prefix;
      if (last.length < length) {
        last = new byte[text.length];
      }
      System.arraycopy(text, 0, last, 0, length);
      lastLength = length;
    }

    private static int numberBytes(int number) {
      return Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(number) + BITS - 1) / BITS);
    }

    long ofDruid() {
      return bytes + Integer.BYTES * (count / BUCKET_SIZE);
    }
  }

  /** Sample of buckets. */
  private static final class Sample {
    private byte[][] texts = new byte[64][];
    private int numTexts;
    private int[] lengths = new int[64];
    private long rawBytes;

    void add(TextSpill.Buckets buckets, long size) {
      rawBytes += size;
      for (int i = 0; i < buckets.count(); i++) {
        if (numTexts == texts.length) {
          texts = Arrays.copyOf(texts, 2 * numTexts);
          lengths = Arrays.copyOf(lengths, 2 * numTexts);
        }
        lengths[numTexts] = buckets.lengths()[i];
        texts[numTexts++] = Arrays.copyOf(buckets.texts()[i], buckets.lengths()[i] + Long.BYTES);
      }
    }

    boolean isEmpty() {
      return numTexts == 0;
    }

    /** Trains symbols on the parts of the texts that are stored. */
    TextCoding train() {
      final int[] ends = new int[numTexts];
      byte[] stored = new byte[CostModel.Texts.SAMPLE_BYTES];
      int end = 0;
      for (int text = 0; text < numTexts; text++) {
        final int head = text & -SAMPLED_SIZE;
        final int prefix =
            text == head ? 0 : Utf8.commonPrefix(texts[head], lengths[head], texts[text], lengths[text]);
        final int length = Math.min(lengths[text] - prefix, CostModel.Texts.SAMPLE_BYTES);
        if (stored.length < end + length + Long.BYTES) {
          stored = Arrays.copyOf(stored, Math.max(2 * stored.length, end + length + Long.BYTES));
        }
        System.arraycopy(texts[text], prefix, stored, end, length);
        end += length;
        ends[text] = end;
      }
      return new FrontCoding(new SymbolTrainer(Arrays.copyOf(stored, end + Long.BYTES), ends, numTexts).train());
    }

    /** Returns the size of the sampled buckets in a coding with symbols, relative to their size without. */
    double ratio(TextCoding symbols) {
      return (double) new BucketSizes(symbols).of(texts, lengths, numTexts) / rawBytes;
    }
  }

  /** Sizes of buckets in a coding. */
  private static final class BucketSizes {
    private final BucketWriter writer;
    private final byte[][] texts;
    private final int[] lengths;

    BucketSizes(TextCoding coding) {
      this.writer = coding.writer();
      this.texts = new byte[1 << coding.logSize()][];
      this.lengths = new int[texts.length];
    }

    /** Returns the total size in bytes of the buckets of some texts. */
    long of(byte[][] all, int[] allLengths, int numTexts) {
      long bytes = 0;
      for (int first = 0; first < numTexts; first += texts.length) {
        final int count = Math.min(texts.length, numTexts - first);
        System.arraycopy(all, first, texts, 0, count);
        System.arraycopy(allLengths, first, lengths, 0, count);
        bytes += writer.encode(texts, lengths, count);
      }
      return bytes;
    }
  }
}
