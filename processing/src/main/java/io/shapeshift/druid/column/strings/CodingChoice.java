// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.form.DecodeCost;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.form.strings.Bucket;
import io.shapeshift.druid.form.strings.SymbolEncoder;
import io.shapeshift.druid.form.strings.SymbolTable;
import io.shapeshift.druid.form.strings.SymbolTrainer;
import io.shapeshift.druid.form.strings.Utf8;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * How texts are stored: as what weighs least, by the size of a sample of buckets, which lie evenly in all, and what it
 * costs to decode.
 *
 * @param coding    of the texts
 * @param encoder   null if they are stored as they are
 * @param rawBytes  bytes of all buckets with texts as they are
 * @param allowance the bytes of the coding are multiplied by this to compare them with these
 */
record CodingChoice(Bucket.Coding coding, @Nullable SymbolEncoder encoder, long rawBytes, double allowance) {
  private static final int SAMPLE_BYTES = 1 << 17;
  /** Codes of a longer text might ask for more room than an array has. */
  private static final int LONGEST_CODED = 1 << 27;
  private static final Map<Bucket.Coding, DecodeCost> COSTS = new EnumMap<>(Map.of(
      Bucket.Coding.RAW, DecodeCost.NONE,
      Bucket.Coding.SUFFIXES, DecodeCost.factors(1, 1.1, 1.6),
      Bucket.Coding.ALL, DecodeCost.factors(1, 1.25, 2.2)
  ));

  /** Chooses for all texts. */
  static CodingChoice of(TextSpill texts, OptimizationTarget target) throws IOException {
    final Bucket.Writer raw = new Bucket.Writer(Bucket.Coding.RAW, null);
    final long every = Math.max(1, texts.numBytes() / SAMPLE_BYTES);
    final Sample sample = new Sample();
    final TextSpill.Buckets buckets = texts.buckets();
    long rawBytes = 0;
    for (long bucket = 0; buckets.next(); bucket++) {
      final int size = raw.encode(buckets.texts(), buckets.lengths(), buckets.count());
      rawBytes += size;
      if (bucket % every == 0) {
        sample.add(buckets, size);
      }
    }
    if (texts.longest() > LONGEST_CODED || sample.numTexts == 0) {
      return new CodingChoice(Bucket.Coding.RAW, null, rawBytes, 1);
    }
    final SymbolEncoder encoder = new SymbolEncoder(sample.train());
    CodingChoice best = new CodingChoice(Bucket.Coding.RAW, null, rawBytes, 1);
    double least = rawBytes;
    for (Bucket.Coding coding : Bucket.Coding.values()) {
      if (coding.hasSymbols()) {
        final double factor = COSTS.get(coding).under(target).factor();
        final double bytes = sample.ratio(coding, encoder) * rawBytes + encoder.table().sizeInBytes();
        if (bytes * factor < least) {
          least = bytes * factor;
          best = new CodingChoice(coding, encoder, rawBytes, factor);
        }
      }
    }
    return best;
  }

  /** Whether what was made of all texts weighs no more than texts as they are would. */
  boolean isWorth(long bytes) {
    return coding == Bucket.Coding.RAW || bytes * allowance <= rawBytes * 1.0;
  }

  /** Some buckets. */
  private static final class Sample {
    private byte[][] texts = new byte[64][];
    private int numTexts;
    private long rawBytes;
    private final int[] lengths = new int[Bucket.SIZE];
    private final byte[][] bucket = new byte[Bucket.SIZE][];

    void add(TextSpill.Buckets buckets, int size) {
      rawBytes += size;
      for (int i = 0; i < buckets.count(); i++) {
        if (numTexts == texts.length) {
          texts = Arrays.copyOf(texts, 2 * numTexts);
        }
        texts[numTexts++] = Arrays.copyOf(buckets.texts()[i], buckets.lengths()[i] + Long.BYTES);
      }
    }

    private int length(int text) {
      return texts[text].length - Long.BYTES;
    }

    /** Symbols of what is stored of each text. */
    SymbolTable train() {
      final int[] ends = new int[numTexts];
      byte[] stored = new byte[SAMPLE_BYTES];
      int end = 0;
      for (int text = 0; text < numTexts; text++) {
        final int head = text & -Bucket.SIZE;
        final int prefix =
            text == head ? 0 : Utf8.commonPrefix(texts[head], length(head), texts[text], length(text));
        final int length = Math.min(length(text) - prefix, SAMPLE_BYTES);
        if (stored.length < end + length + Long.BYTES) {
          stored = Arrays.copyOf(stored, Math.max(2 * stored.length, end + length + Long.BYTES));
        }
        System.arraycopy(texts[text], prefix, stored, end, length);
        end += length;
        ends[text] = end;
      }
      return new SymbolTrainer(Arrays.copyOf(stored, end + Long.BYTES), ends, numTexts).train();
    }

    /** Bytes of the buckets in a coding, of those that they take as texts. */
    double ratio(Bucket.Coding coding, SymbolEncoder encoder) {
      final Bucket.Writer writer = new Bucket.Writer(coding, encoder);
      long bytes = 0;
      for (int first = 0; first < numTexts; first += Bucket.SIZE) {
        final int count = Math.min(Bucket.SIZE, numTexts - first);
        for (int i = 0; i < count; i++) {
          bucket[i] = texts[first + i];
          lengths[i] = length(first + i);
        }
        bytes += writer.encode(bucket, lengths, count);
      }
      return (double) bytes / rawBytes;
    }
  }
}
