// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.bits.RawBytes;
import javax.annotation.Nullable;

/**
 * Search in {@link FrontCodedBucket}s. It searches the head, the suffixes of all other texts at once, and each place
 * where a prefix ends. Only texts that are passed on are decoded.
 */
final class FrontCodedSearch implements BucketSearch {
  private final FrontCodedBucket.Reader reader;
  private final RawBytes in;
  @Nullable
  private final SymbolTable ofSuffixes;
  private final TextPart part;
  /** The part in UTF-8. */
  private final byte[] bytes;
  /** Whether the part stands for texts that contain it. */
  private final boolean standsForTexts;
  /** How often each byte occurred among those learned: plain ones, and those of suffixes. */
  private final int[] plainCounts = new int[1 << Byte.SIZE];
  private final int[] suffixCounts = new int[1 << Byte.SIZE];
  /** Null until the first search. */
  @Nullable
  private PartFinder finder;

  FrontCodedSearch(
      FrontCodedBucket.Reader reader,
      RawBytes in,
      @Nullable SymbolTable ofSuffixes,
      TextPart part,
      boolean isExact
  ) {
    this.reader = reader;
    this.in = in;
    this.ofSuffixes = ofSuffixes;
    this.part = part;
    this.bytes = part.utf8();
    this.standsForTexts = isExact && bytes.length <= PartFinder.MAX_LENGTH;
  }

  @Override
  public void learn(int from, int to, int count) {
    reader.open(from, to, count);
    count(reader.partsStart(), reader.partsStart() + reader.end(0), plainCounts);
    count(reader.partsStart() + reader.end(0), to, ofSuffixes == null ? plainCounts : suffixCounts);
  }

  private void count(int from, int to, int[] counts) {
    for (int at = from; at < to; at++) {
      counts[in.getByte(at)]++;
    }
  }

  @Override
  public void find(int from, int to, int count, TextRun run) {
    reader.open(from, to, count);
    if (part.hasForeignEquals() && !reader.isAscii()) {
      reader.readAll(from, to, count, run);
      return;
    }
    if (finder == null) {
      finder = new PartFinder(bytes, part.ignoresCase(), ofSuffixes, plainCounts, suffixCounts);
    }
    final int start = reader.partsStart();
    final int headBytes = reader.end(0);
    final int found = finder.find(in, start, start + headBytes);
    // Each text whose prefix has the part contains it.
    final int least = found < 0 ? Integer.MAX_VALUE : found - start + finder.length();
    final long withPart = (found < 0 ? 0 : 1)
        | withPrefixes(finder, start, headBytes, count, least)
        | withSuffixes(finder, start, start + headBytes, to, count);
    int next = 0;
    for (long left = withPart; left != 0; left &= left - 1) {
      final int index = Long.numberOfTrailingZeros(left);
      run.pass(index - next);
      if (standsForTexts) {
        run.add(bytes, bytes.length);
      } else {
        reader.addText(index, run);
      }
      next = index + 1;
    }
    run.pass(count - next);
  }

  /** Returns the bits of the texts that have the part in their prefix, or from their prefix on. */
  private long withPrefixes(PartFinder finder, int start, int headBytes, int count, int least) {
    long withPart = 0;
    for (int index = 1; index < count; index++) {
      final int prefix = reader.prefix(index, headBytes);
      if (prefix >= least) {
        withPart |= 1L << index;
      } else if (prefix > 0) {
        final long lengths = finder.straddling(in, start + prefix, prefix);
        if (lengths != 0
            && finder.straddles(
                in, start + prefix, prefix, start + reader.end(index - 1), start + reader.end(index), lengths)) {
          withPart |= 1L << index;
        }
      }
    }
    return withPart;
  }

  /** Returns the bits of the texts that have the part in their suffix, and some that have it from their prefix on. */
  private long withSuffixes(PartFinder finder, int start, int from, int to, int count) {
    long withPart = 0;
    int at = from;
    for (int index = 1; index < count; ) {
      at = ofSuffixes == null ? finder.find(in, at, to) : finder.findCode(in, at, to);
      if (at < 0 || at >= to) {
        break;
      }
      while (index < count && start + reader.end(index) <= at) {
        index++;
      }
      if (index == count) {
        break;
      }
      final int end = start + reader.end(index);
      final boolean hasPart;
      if (ofSuffixes == null) {
        hasPart = at + finder.length() <= end;
      } else {
        final int prefix = reader.prefix(index, from - start);
        hasPart = finder.isPart(in, at, start + reader.end(index - 1), end, start + prefix, prefix);
      }
      if (hasPart) {
        withPart |= 1L << index;
        at = end;
        index++;
      } else {
        at++;
      }
    }
    return withPart;
  }
}
