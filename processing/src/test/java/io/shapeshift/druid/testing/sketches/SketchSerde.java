// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing.sketches;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.segment.data.ObjectStrategy;
import org.apache.druid.segment.serde.ComplexMetricExtractor;
import org.apache.druid.segment.serde.ComplexMetricSerde;
import org.apache.druid.segment.serde.ComplexMetrics;

/** Complex type of a kind of sketch, which Druid stores in its generic columns. */
public final class SketchSerde extends ComplexMetricSerde {
  private final Sketch kind;
  private final boolean retains;

  /**
   * Creates a type.
   *
   * @param retains whether it says that objects refer to the buffer that they were read from
   */
  SketchSerde(Sketch kind, boolean retains) {
    this.kind = kind;
    this.retains = retains;
  }

  /** Registers the types of all kinds. */
  public static void register() {
    for (Sketch kind : Sketch.values()) {
      if (ComplexMetrics.getSerdeForType(kind.typeName()) == null) {
        ComplexMetrics.registerSerde(kind.typeName(), new SketchSerde(kind, true));
      }
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
    return new Strategy();
  }

  private final class Strategy implements ObjectStrategy<Object> {
    @Override
    public Class<Object> getClazz() {
      return Object.class;
    }

    @Override
    public Object fromByteBuffer(ByteBuffer buffer, int numBytes) {
      return kind.fromBuffer(buffer, numBytes);
    }

    @Override
    public byte[] toBytes(@Nullable Object sketch) {
      return sketch == null ? new byte[0] : kind.toBytes(sketch);
    }

    @Override
    public boolean readRetainsBufferReference() {
      return retains;
    }

    @Override
    public int compare(Object one, Object other) {
      return Arrays.compare(toBytes(one), toBytes(other));
    }
  }
}
