// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.metrics;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;

/**
 * Contents of the segment that a thread is writing. Serializers, which Druid calls at various times, add what they
 * write. Data written outside of a segment is not counted.
 */
public final class WrittenSegment implements AutoCloseable {
  /** Size for {@link #addPart}: unknown. */
  public static final long UNKNOWN = -1;
  /** Name for the bytes of a part outside of its forms. */
  private static final String HEADS = "heads";

  private static final ThreadLocal<WrittenSegment> CURRENT = new ThreadLocal<>();

  private final Map<String, Integer> columns = new TreeMap<>();
  private final Map<SegmentPart, Part> parts = new EnumMap<>(SegmentPart.class);
  /** Columns by file name. */
  private final Map<String, String> owners = new HashMap<>();
  private long bytes;

  /** Sums for one part over all columns. */
  private static final class Part {
    private final BytesByForm forms = new BytesByForm();
    private long stockBytes;
  }

  private WrittenSegment() {}

  /** Starts a segment, which this thread writes until it is closed. */
  public static WrittenSegment start() {
    final WrittenSegment segment = new WrittenSegment();
    CURRENT.set(segment);
    return segment;
  }

  /** Segment that this thread writes; null if it writes none. */
  @Nullable
  public static WrittenSegment current() {
    return CURRENT.get();
  }

  /** Adds a column of a kind. */
  public void addColumn(String kind) {
    columns.merge(kind, 1, Integer::sum);
  }

  /** Whether any column has another kind. */
  public boolean hasColumnsBut(String kind) {
    return columns.keySet().stream().anyMatch(other -> !other.equals(kind));
  }

  /**
   * Adds a file of a column.
   *
   * @return column that already has a file of this name; null if there is none
   */
  @Nullable
  public String addFile(String name, String column, long size) {
    bytes += size;
    return owners.putIfAbsent(name, column);
  }

  /**
   * Adds a part of a column to the segment that this thread writes, if there is one.
   *
   * @param size        total size of the part in bytes
   * @param forms       bytes by form
   * @param stockBytes size of the stock part in bytes, or {@link #UNKNOWN}
   */
  public static void addPart(SegmentPart part, long size, BytesByForm forms, long stockBytes) {
    @Nullable final WrittenSegment segment = CURRENT.get();
    if (segment == null) {
      return;
    }
    final Part sum = segment.parts.computeIfAbsent(part, absent -> new Part());
    sum.forms.addAll(forms);
    final long heads = size - forms.sum();
    if (heads > 0) {
      sum.forms.add(HEADS, heads);
    }
    sum.stockBytes = sum.stockBytes == UNKNOWN || stockBytes == UNKNOWN ? UNKNOWN : sum.stockBytes + stockBytes;
  }

  /** Adds a part in a single form; see {@link #addPart(SegmentPart, long, BytesByForm, long)}. */
  public static void addPart(SegmentPart part, long size, String form, long stockBytes) {
    final BytesByForm forms = new BytesByForm();
    forms.add(form, size);
    addPart(part, size, forms, stockBytes);
  }

  /** Adds the segment to the totals of the process, and returns a summary of one line. */
  public String complete() {
    Totals.add(Totals.SEGMENTS, Map.of(), 1);
    columns.forEach((kind, count) -> Totals.add(Totals.COLUMNS, Map.of("kind", kind), count));
    parts.forEach((part, sum) -> {
      sum.forms.sorted().forEach(form -> count(part.toString(), form.getKey(), form.getLongValue()));
      if (sum.stockBytes != UNKNOWN) {
        Totals.add(Totals.STOCK_BYTES, Map.of("part", part.toString()), sum.stockBytes);
      }
    });
    count("Druid's own", "Druid's own", stock());
    return toString();
  }

  private static void count(String part, String form, long bytes) {
    Totals.add(Totals.BYTES, Map.of("part", part, "form", form), bytes);
  }

  /** Bytes of stock columns, and of the stock parts of other columns: null bitmaps and descriptors. */
  private long stock() {
    return bytes - parts.values().stream().mapToLong(part -> part.forms.sum()).sum();
  }

  @Override
  public String toString() {
    final StringJoiner kinds = new StringJoiner(", ", " (", ")").setEmptyValue("");
    columns.forEach((kind, count) -> kinds.add(kind + " " + count));
    final StringJoiner text = new StringJoiner("; ");
    parts.forEach((part, sum) -> text.add(StringUtils.format(
        "%s %,d%s (%s)",
        part,
        sum.forms.sum(),
        sum.stockBytes > 0 ? StringUtils.format(" in place of %,d", sum.stockBytes) : "",
        sum.forms
    )));
    text.add(StringUtils.format("Druid's own %,d", stock()));
    return StringUtils.format(
        "%,d bytes in %d columns%s: %s", bytes, columns.values().stream().mapToInt(count -> count).sum(), kinds, text);
  }

  /** Ends the segment: data that this thread writes later is not added to it. */
  @Override
  public void close() {
    CURRENT.remove();
  }
}
