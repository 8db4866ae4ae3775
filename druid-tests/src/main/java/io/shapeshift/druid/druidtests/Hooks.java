// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.druidtests;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.segment.ShapeShiftModule;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.ColumnDescriptor;

/** What the rewritten classes call. */
public final class Hooks {
  /** Set before any rewritten class is loaded; null where there is no agent. */
  @Nullable
  static volatile Encoding encoding;

  private Hooks() {}

  /** Takes the place of {@link IndexSpec#getEffectiveSpec} where segments are written. */
  public static IndexSpec effectiveSpec(IndexSpec spec) {
    final EncodingStrategy strategy = EncodingStrategy.shapeShift(encoding.target(), BlockSize.LARGE);
    return ShapeShiftIndexSpec.of(spec, new EncodingStrategies(strategy, Map.of())).getEffectiveSpec();
  }

  /** At the end of the constructor of Druid's mapper. */
  public static void registerModules(ObjectMapper mapper) {
    mapper.registerModules(new ShapeShiftModule().getJacksonModules());
  }

  /** Before a column is written. */
  public static void columnWritten(ColumnDescriptor column) {
    WrittenColumns.add(column);
  }
}
