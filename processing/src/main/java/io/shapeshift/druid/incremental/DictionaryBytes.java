// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import org.apache.druid.segment.StringDimensionIndexer;

/**
 * What the dictionary of a string dimension takes on the heap: its strings, a hash table of references and ints, and a
 * list. Druid's own estimate takes two bytes for each char, of which a JVM needs one in most strings, and leaves out
 * what a table and a list have to spare.
 */
final class DictionaryBytes {
  /** A String of 24 bytes, and the header of its array. */
  private static final int STRING_OVERHEAD = 24 + 16;
  /** What Druid takes for a value: 44 bytes, and two references of 8. */
  private static final int DRUIDS_OVERHEAD = 28 + 16 + 2 * Long.BYTES;
  /** A reference and an int for each place of the table. */
  private static final int TABLE_ENTRY = 2 * Integer.BYTES;

  private final StringDimensionIndexer indexer;
  private int values;
  private long textBytes;
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
    bytes = textBytes + tableBytes(values);
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
    long places = Math.max(32, Long.highestOneBit(Math.max(1, values * 4L / 3)) << 1);
    return places * TABLE_ENTRY + values * 5L;
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
