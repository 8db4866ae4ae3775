// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Column in the encodings of some targets, and in Druid's encodings that these are compared with. */
final class EncodedShape implements Closeable {
  private final Shape shape;
  private final RowValues values;
  /** By name of the encoding. Encodings with equal bytes share one object. */
  private final Map<String, EncodedRows> encoded = new LinkedHashMap<>();

  /**
   * Encodes a column.
   *
   * @throws ToolException if there is no room for temporary files
   */
  EncodedShape(Shape shape, Collection<Promise> promises) {
    this.shape = shape;
    this.values = shape.values().get();
    try {
      for (Promise promise : promises) {
        encode(promise.baseline());
        encode(promise.encoding());
      }
    } catch (IOException e) {
      close();
      throw new ToolException(shape.toString(), "it cannot be written: " + e, "Make room for temporary files", e);
    }
  }

  private void encode(String encoding) throws IOException {
    if (encoded.containsKey(encoding)) {
      return;
    }
    final EncodedRows rows = RowEncodings.parse(encoding).encode(shape.name(), values);
    for (EncodedRows other : encoded.values()) {
      if (other.bytes().equals(rows.bytes())) {
        rows.close();
        encoded.put(encoding, other);
        return;
      }
    }
    encoded.put(encoding, rows);
  }

  RowValues values() {
    return values;
  }

  StoredColumn stored(Promise promise) {
    final EncodedRows ours = encoded.get(promise.encoding());
    return new StoredColumn(
        shape.type(),
        shape.name(),
        promise,
        values.rows(),
        ours.sizeInBytes(),
        encoded.get(promise.baseline()).sizeInBytes(),
        ours.forms().entrySet().stream()
            .map(form -> form.getKey() + " " + form.getValue().chunks())
            .collect(Collectors.joining("; "))
    );
  }

  /**
   * Measures rows in some encodings. Encodings with equal bytes are measured once, and have the same times.
   *
   * @param nanos of rows by name of their encoding, by name of the read, by name of the encoding
   * @param names of the encodings
   * @return by name of the read, by name of each of the encodings
   */
  Map<String, Map<String, Double>> measure(
      Function<Map<String, EncodedRows>, Map<String, Map<String, Double>>> nanos,
      Set<String> names
  ) {
    final Map<EncodedRows, String> distinct = new LinkedHashMap<>();
    names.forEach(name -> distinct.putIfAbsent(encoded.get(name), name));
    final Map<String, EncodedRows> rows = new LinkedHashMap<>();
    distinct.forEach((each, name) -> rows.put(name, each));
    final Map<String, Map<String, Double>> measured = nanos.apply(rows);
    final Map<String, Map<String, Double>> all = new LinkedHashMap<>();
    measured.forEach((read, byEncoding) -> all.put(
        read,
        names.stream().collect(Collectors.toMap(name -> name, name -> byEncoding.get(distinct.get(encoded.get(name)))))
    ));
    return all;
  }

  @Override
  public void close() {
    List.copyOf(new LinkedHashSet<>(encoded.values())).forEach(EncodedRows::close);
  }
}
