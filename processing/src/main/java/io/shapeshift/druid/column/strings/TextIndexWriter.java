// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.column.postings.Inversion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Writer of a dictionary's {@link TextIndex}. It reads all texts once, and inverts their trigrams in the medium. The
 * heap holds what an {@link Inversion} of as many slots and a {@link GroupLists.Writer} hold.
 *
 * <p>Larger groups make a smaller index, which excludes less. Groups first have 512 to 1,024 bytes of texts, or one
 * text. They are doubled, up to four times, until the index has at most 30 % of the bytes of all texts. If that does
 * not suffice, there is no index.
 */
final class TextIndexWriter {
  private static final Logger LOG = new Logger(TextIndexWriter.class);
  /** Few, so that a group of the least size has a small part of the slots in a small dictionary, too. */
  private static final int BYTES_PER_SLOT = 16;
  /**
   * More of them would make lists that are larger by a tenth, and exclude hardly more groups. Smaller groups exclude
   * more.
   */
  private static final int MOST_LOG_SLOTS = 14;
  /** Most doublings of the first groups. */
  private static final int MOST_SHIFT = 4;
  /** A slot is frequent if more than one in so many groups has it. */
  private static final int FREQUENT = 2;
  /** Greatest size in bytes, which leaves room for the texts in a dictionary of 2 GiB. */
  private static final int MOST_BYTES = 1 << 30;
  /** The estimate of the size is made of the slots before the first in so many. */
  private static final int SLOTS_PER_SAMPLED = 8;

  /**
   * Limits of an index.
   *
   * @param leastBytes      bytes of all texts below which there is none: a search takes no longer than the index
   * @param leastGroupBytes bytes of the texts in a group, unless a text has more
   * @param mostPercent     greatest size in percent of the bytes of all texts
   * @param leastListed     percentage of the pairs of a group and one of its slots that must be in lists: the other
   *     slots are frequent, and exclude nothing
   */
  record Limits(int leastBytes, int leastGroupBytes, int mostPercent, int leastListed) {
    static final Limits DEFAULT = new Limits(TextIndex.LEAST_BYTES_OF_TEXTS, 1 << 9, 30, 12);
  }

  private final SegmentWriteOutMedium medium;
  private final TextSpill texts;
  private final Limits limits;
  private final int logSlots;
  private final int logGroup;
  private final int numGroups;
  private GroupLists.Writer lists;
  /** Doublings of the groups. */
  private int shift;
  private int[] groups = new int[0];

  private TextIndexWriter(SegmentWriteOutMedium medium, TextSpill texts, Limits limits) {
    this.medium = medium;
    this.texts = texts;
    this.limits = limits;
    final int wanted = Long.SIZE - 1 - Long.numberOfLeadingZeros(texts.numBytes() / BYTES_PER_SLOT);
    this.logSlots = Math.min(Math.max(wanted, TextIndex.LEAST_LOG_SLOTS), MOST_LOG_SLOTS);
    int log = 0;
    while (1L << log < texts.size() && texts.numBytes() << log < (long) limits.leastGroupBytes * texts.size()) {
      log++;
    }
    this.logGroup = log;
    this.numGroups = TextIndex.numGroups(texts.size(), logGroup);
  }

  /**
   * Builds an index.
   *
   * @param column    name of the column, for messages
   * @param medium    keeps the index until it is written
   * @param texts     complete
   * @param limits    limits of the index
   * @return null if no index would help; the log has the reason
   */
  @Nullable
  static TextIndexWriter build(String column, SegmentWriteOutMedium medium, TextSpill texts, Limits limits)
      throws IOException {
    if (texts.numBytes() < limits.leastBytes) {
      LOG.info("Column[%s] gets no text index: its %,d bytes of texts are searched as fast without one",
               column, texts.numBytes());
      return null;
    }
    final TextIndexWriter index = new TextIndexWriter(medium, texts, limits);
    try (SegmentWriteOutMedium temporary = medium.makeChildWriteOutMedium()) {
      if (index.build(temporary)) {
        return index;
      }
    }
    LOG.info(
        "Column[%s] gets no text index: its %,d bytes of texts are too much alike or too irregular for one that helps"
            + " and has at most %d %% of them",
        column, texts.numBytes(), limits.mostPercent);
    return null;
  }

  private boolean build(SegmentWriteOutMedium temporary) throws IOException {
    final Inversion slots = new Inversion(temporary, 1 << logSlots);
    collect(slots);
    final int numSampled = (1 << logSlots) / SLOTS_PER_SAMPLED;
    for (shift = 0; shift <= MOST_SHIFT; shift++) {
      final Estimate estimate = new Estimate();
      slots.forEachId(numSampled, estimate::add);
      if (isSmallEnough((double) estimate.bits / Byte.SIZE * SLOTS_PER_SAMPLED) && estimate.helps()
          && writeLists(slots)) {
        return true;
      }
    }
    return false;
  }

  private boolean isSmallEnough(double bytes) {
    return bytes <= Math.min(MOST_BYTES, texts.numBytes() * (limits.mostPercent / 100.0));
  }

  /** Adds the slots of each group. */
  private void collect(Inversion slots) throws IOException {
    final Trigrams trigrams = new Trigrams(logSlots);
    final long groupSize = 1L << logGroup;
    long left = groupSize;
    try (TextSpill.Buckets all = texts.buckets(1)) {
      while (all.next()) {
        if (left == 0) {
          slots.addDistinct(trigrams.slots(), trigrams.count());
          trigrams.clear();
          left = groupSize;
        }
        trigrams.add(all.texts()[0], 0, all.lengths()[0]);
        left--;
      }
    }
    slots.addDistinct(trigrams.slots(), trigrams.count());
  }

  /** Writes the lists; returns false if the index is too large with them. */
  private boolean writeLists(Inversion slots) throws IOException {
    final int numShifted = numShifted();
    // The medium closes it, too.
    final SegmentWriteOutMedium ofLists = medium.makeChildWriteOutMedium();
    final GroupLists.Writer out = new GroupLists.Writer(ofLists, numShifted);
    slots.forEachId((rows, from, to) -> {
      final int count = collectGroups(rows, from, to);
      if (isFrequent(count, numShifted)) {
        out.addFrequent();
      } else {
        out.add(groups, count);
      }
    });
    lists = out;
    if (isSmallEnough((double) sizeInBytes())) {
      return true;
    }
    ofLists.close();
    return false;
  }

  /** Collects the distinct groups of some rows after they are doubled, and returns their number. */
  private int collectGroups(int[] rows, int from, int to) {
    groups = groups.length < to - from ? new int[Math.max(to - from, 2 * groups.length)] : groups;
    int count = 0;
    for (int i = from; i < to; i++) {
      final int group = rows[i] >>> shift;
      if (count == 0 || groups[count - 1] != group) {
        groups[count++] = group;
      }
    }
    return count;
  }

  /** Returns the number of groups after they are doubled. */
  private int numShifted() {
    return TextIndex.numGroups(numGroups, shift);
  }

  private static boolean isFrequent(int count, int numGroups) {
    return (long) count * FREQUENT > numGroups;
  }

  /** Returns the size of the index in bytes. */
  long sizeInBytes() {
    return TextIndex.FIXED_BYTES + lists.sizeInBytes();
  }

  void writeTo(WritableByteChannel channel) throws IOException {
    Channels.writeFully(channel, ByteBuffer.wrap(new byte[] {(byte) (logGroup + shift), (byte) logSlots}));
    lists.writeTo(channel);
  }

  /** Size of the lists of some slots. */
  private final class Estimate {
    private final GroupList.Writer list = new GroupList.Writer();
    private long bits;
    private long pairs;
    private long listed;

    void add(int[] rows, int from, int to) {
      final int count = collectGroups(rows, from, to);
      pairs += count;
      if (!isFrequent(count, numShifted())) {
        listed += count;
        list.putGroups(groups, 0, count, 0, numShifted() - 1);
        bits += list.numBits();
        list.clear();
      }
    }

    boolean helps() {
      return listed * 100 >= pairs * limits.leastListed;
    }
  }
}
