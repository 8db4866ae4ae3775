// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import io.shapeshift.druid.bits.JvmOption;
import org.apache.druid.segment.StringDimensionIndexer;

/**
 * What the dictionary of a string dimension takes on the heap: its strings, a hash table of references and ints, and a
 * list. Druid's own estimate takes two bytes for each char, of which a JVM needs one in most strings, and leaves out
 * what a table and a list have to spare.
 *
 * <p>An array of half a region of the G1 collector or more has regions of its own, the last one for itself: a table of
 * 524,304 bytes takes a megabyte.
 */
final class DictionaryBytes {
  /** A String of 24 bytes, and the header of its array. */
  private static final int STRING_OVERHEAD = 24 + 16;
  /** What Druid takes for a value: 44 bytes, and two references of 8. */
  private static final int DRUIDS_OVERHEAD = 28 + 16 + 2 * Long.BYTES;
  private static final int ARRAY_HEADER = 16;
  private static final long REGION_BYTES = regionBytes();

  private final StringDimensionIndexer indexer;
  private int values;
  private long textBytes;
  private long tableBytes;
  /** With so many values the table or the list may be larger. */
  private int valuesOfLargerTable;
  private long bytes;
  private long druidsGrowth;

  DictionaryBytes(StringDimensionIndexer indexer) {
    this.indexer = indexer;
  }

  /** Looks at values that are new, if that of an id is; and tells whether it is. */
  boolean update(int id) {
    boolean isNew = id >= values;
    if (isNew) {
      update();
    }
    return isNew;
  }

  private void update() {
    int cardinality = indexer.getCardinality();
    while (values < cardinality) {
      Object value = indexer.convertUnsortedEncodedKeyComponentToActualList(new int[] {values++});
      if (value != null) {
        String text = (String) value;
        textBytes += bytesOf(text);
        druidsGrowth += DRUIDS_OVERHEAD + 2L * text.length();
      }
    }
    if (values >= valuesOfLargerTable) {
      tableBytes = tableBytes(values);
      valuesOfLargerTable = values + 1 + values / 64;
    }
    bytes = textBytes + tableBytes;
  }

  /** What Druid estimates for the values that are new since the last call. */
  long druidsGrowth() {
    long growth = druidsGrowth;
    druidsGrowth = 0;
    return growth;
  }

  long bytes() {
    return bytes;
  }

  /** What a hash table from references to ints takes, filled to three quarters, and a list that grows by half. */
  static long tableBytes(int values) {
    long places = 16;
    while (places * 3 / 4 < values) {
      places *= 2;
    }
    long listed = 10;
    while (listed < values) {
      listed += listed >> 1;
    }
    return 2 * arrayBytes(places + 1) + arrayBytes(listed);
  }

  /** What an array of ints or references takes. */
  private static long arrayBytes(long length) {
    long size = ARRAY_HEADER + length * Integer.BYTES;
    return size < REGION_BYTES / 2 ? size : (size + REGION_BYTES - 1) / REGION_BYTES * REGION_BYTES;
  }

  /** The size of a region, if the JVM collects by G1; otherwise more than anything is large. */
  private static long regionBytes() {
    return Boolean.parseBoolean(JvmOption.value("UseG1GC", "false"))
           ? Long.parseLong(JvmOption.value("G1HeapRegionSize", String.valueOf(Long.MAX_VALUE)))
           : Long.MAX_VALUE;
  }

  /** What a string takes: a byte for each char if all are of Latin-1, or two. */
  static long bytesOf(String text) {
    int length = text.length();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xFF) {
        length *= 2;
        break;
      }
    }
    return STRING_OVERHEAD + (length + 7L) / 8 * 8;
  }
}
