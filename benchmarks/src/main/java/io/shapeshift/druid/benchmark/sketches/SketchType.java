// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.sketches;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.segment.data.ObjectStrategy;
import org.apache.druid.segment.serde.ComplexMetricExtractor;
import org.apache.druid.segment.serde.ComplexMetricSerde;
import org.apache.druid.segment.serde.ComplexMetrics;

/** Complex type of a kind of sketch, stored and read as in Druid's extension. */
final class SketchType extends ComplexMetricSerde implements ObjectStrategy<Object> {
  private final SketchKind kind;

  private SketchType(SketchKind kind) {
    this.kind = kind;
  }

  /** Registers the type of a kind. */
  static void register(SketchKind kind) {
    if (ComplexMetrics.getSerdeForType(kind.typeName()) == null) {
      ComplexMetrics.registerSerde(kind.typeName(), new SketchType(kind));
    }
  }

  @Override
  public String getTypeName() {
    return kind.typeName();
  }

  @Override
  public ComplexMetricExtractor<Object> getExtractor() {
    return new ComplexMetricExtractor<>() {
      @Override
      public Class<Object> extractedClass() {
        return Object.class;
      }

      @Override
      public Object extractValue(InputRow row, String metric) {
        return row.getRaw(metric);
      }
    };
  }

  @Override
  @SuppressWarnings("deprecation") // As Druid's extensions do.
  public ObjectStrategy<Object> getObjectStrategy() {
    return this;
  }

  @Override
  public Class<Object> getClazz() {
    return Object.class;
  }

  @Override
  public Object fromByteBuffer(ByteBuffer buffer, int numBytes) {
    return kind.wrap(buffer, numBytes);
  }

  @Override
  public byte[] toBytes(Object sketch) {
    return kind.toBytes(sketch);
  }

  @Override
  public boolean readRetainsBufferReference() {
    return true;
  }

  @Override
  public int compare(Object one, Object other) {
    return Arrays.compare(toBytes(one), toBytes(other));
  }
}
