// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.data.GenericIndexed;

/** Comparison of two segments except their columns. */
final class SegmentComparison {
  /** Properties of V10's metadata about how and where columns are stored. */
  private static final List<String> STORAGE = List.of("containers", "files", "columnDescriptors", "interval");

  private SegmentComparison() {}

  /** Differences of two segments as a whole. */
  static List<String> differences(Segment first, Segment second) {
    final List<String> differences = new ArrayList<>();
    if (!first.interval().equals(second.interval())) {
      differences.add("the interval is " + first.interval() + " in the first, " + second.interval() + " in the second");
    }
    // Each version stores the other metadata in its own way.
    if (first.version() == second.version()) {
      compareNames(names(first), names(second), differences);
      compare("metadata", metadata(first), metadata(second), differences);
    }
    if (first.version() == IndexIO.V9_VERSION && second.version() == IndexIO.V9_VERSION && differences.isEmpty()) {
      compareIndex(first, second, differences);
    }
    return differences;
  }

  /** Adds a difference between version 9's lists of dimensions and of columns with only null. */
  private static void compareIndex(Segment first, Segment second, List<String> differences) {
    final List<ByteBuffer> left = Damage.reading(NullColumns.INDEX_FILE, () -> indexParts(first));
    final List<ByteBuffer> right = Damage.reading(NullColumns.INDEX_FILE, () -> indexParts(second));
    if (!left.equals(right)) {
      differences.add("the lists of columns and dimensions in " + NullColumns.INDEX_FILE + " differ");
    }
  }

  /**
   * Lists of columns and dimensions, and the lists after the type of bitmaps. That type is an encoding, and not
   * compared.
   */
  private static List<ByteBuffer> indexParts(Segment segment) throws IOException {
    final ByteBuffer index = segment.files().mapFile(NullColumns.INDEX_FILE);
    GenericIndexed.read(index, GenericIndexed.STRING_STRATEGY, segment.files());
    GenericIndexed.read(index, GenericIndexed.STRING_STRATEGY, segment.files());
    final ByteBuffer lists = index.duplicate().flip();
    index.position(index.position() + 2 * Long.BYTES);
    if (index.hasRemaining()) {
      Segment.readString(index);
    }
    return List.of(lists, index);
  }

  /** Adds a difference in order. A column that only one segment has is reported with the columns. */
  private static void compareNames(List<String> first, List<String> second, List<String> differences) {
    if (!first.equals(second) && Set.copyOf(first).equals(Set.copyOf(second))) {
      differences.add("the columns are in the order " + first + " in the first, " + second + " in the second");
    }
  }

  private static List<String> names(Segment segment) {
    return segment.columns().stream().map(SegmentColumn::displayName).toList();
  }

  private static JsonNode metadata(Segment segment) {
    return segment.version() == IndexIO.V10_VERSION
           ? ((ObjectNode) segment.metadata().deepCopy()).without(STORAGE)
           : segment.metadata();
  }

  /** Adds the first difference of two JSON values. */
  private static boolean compare(String path, JsonNode first, JsonNode second, List<String> differences) {
    if (first.equals(second)) {
      return false;
    }
    if (first.isObject() && second.isObject()) {
      final Set<String> names = new TreeSet<>();
      first.fieldNames().forEachRemaining(names::add);
      second.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        if (compare(path + "." + name, first.path(name), second.path(name), differences)) {
          return true;
        }
      }
    }
    if (first.isArray() && second.isArray() && first.size() == second.size()) {
      for (int i = 0; i < first.size(); i++) {
        if (compare(path + "[" + i + "]", first.get(i), second.get(i), differences)) {
          return true;
        }
      }
    }
    differences.add(path + " is " + text(first) + " in the first, " + text(second) + " in the second");
    return true;
  }

  private static String text(JsonNode json) {
    return json.isMissingNode() ? "absent" : json.toString();
  }
}
