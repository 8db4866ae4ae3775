// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.data;

import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Rows of one column in several encodings. Encodings with equal bytes share one object and are measured once. */
public final class ColumnEncodings implements Closeable {
  private final String name;
  private final RowValues values;
  private final Map<String, EncodedRows> encoded = new LinkedHashMap<>();

  /**
   * Creates a column without encodings.
   *
   * @param name name of the column, for messages
   */
  public ColumnEncodings(String name, RowValues values) {
    this.name = name;
    this.values = values;
  }

  /** The rows. */
  public RowValues values() {
    return values;
  }

  /**
   * Encodes the rows, unless they have this encoding already.
   *
   * @throws ToolException if there is no room for temporary files; the column is closed then
   */
  public void encode(RowEncoding encoding) {
    if (encoded.containsKey(encoding.name())) {
      return;
    }
    final EncodedRows rows;
    try {
      rows = encoding.encode(name, values);
    } catch (IOException e) {
      close();
      throw new ToolException(name, "it cannot be written: " + e, "Make room for temporary files", e);
    }
    for (EncodedRows other : encoded.values()) {
      if (other.bytes().equals(rows.bytes())) {
        rows.close();
        encoded.put(encoding.name(), other);
        return;
      }
    }
    encoded.put(encoding.name(), rows);
  }

  /** The rows in an encoding that they have. */
  public EncodedRows in(String encoding) {
    return encoded.get(encoding);
  }

  /** The forms of the rows in an encoding, and how many chunks each of them has. */
  public String forms(String encoding) {
    return encoded.get(encoding).forms().entrySet().stream()
        .map(form -> form.getKey() + " " + form.getValue().chunks())
        .collect(Collectors.joining("; "));
  }

  /**
   * Measures the rows in some of their encodings.
   *
   * @param nanos of rows by name of their encoding, by name of the read, by name of the encoding
   * @param names of the encodings
   * @return by name of the read, by name of each of the encodings
   */
  public Map<String, Map<String, Double>> measure(
      Function<Map<String, EncodedRows>, Map<String, Map<String, Double>>> nanos,
      Collection<String> names
  ) {
    final Map<EncodedRows, String> distinct = new LinkedHashMap<>();
    names.forEach(each -> distinct.putIfAbsent(encoded.get(each), each));
    final Map<String, EncodedRows> rows = new LinkedHashMap<>();
    distinct.forEach((each, encoding) -> rows.put(encoding, each));
    final Map<String, Map<String, Double>> measured = nanos.apply(rows);
    final Map<String, Map<String, Double>> all = new LinkedHashMap<>();
    measured.forEach((read, byEncoding) -> all.put(
        read,
        names.stream().collect(
            Collectors.toMap(each -> each, each -> byEncoding.get(distinct.get(encoded.get(each)))))
    ));
    return all;
  }

  @Override
  public void close() {
    List.copyOf(new LinkedHashSet<>(encoded.values())).forEach(EncodedRows::close);
  }
}
