// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.druidtests;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.incremental.ShapeShiftAppendableIndexSpec;
import io.shapeshift.druid.segment.ShapeShiftModule;
import io.shapeshift.druid.segment.cursor.QueriedCursorFactory;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.TimeBoundaryInspector;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;

/** Methods that the rewritten classes call. */
public final class Hooks {
  /** This field is set before any rewritten class is loaded. It is null without the agent. */
  @Nullable
  static volatile Encoding encoding;

  /** Whether our factory of cursors is calling Druid's, which must not call ours again. */
  private static final ThreadLocal<Boolean> ASKS_DRUIDS = ThreadLocal.withInitial(() -> false);

  private Hooks() {}

  /** Replaces {@link IndexSpec#getEffectiveSpec} where segments are written. */
  public static IndexSpec effectiveSpec(IndexSpec spec) {
    final EncodingStrategy strategy = EncodingStrategy.shapeShift(encoding.target(), BlockSize.LARGE);
    return ShapeShiftIndexSpec.of(spec, new EncodingStrategies(strategy, Map.of())).getEffectiveSpec();
  }

  /** Replaces Druid's cursors over a segment; returns null to let Druid make them. */
  @Nullable
  public static CursorHolder makeCursorHolder(
      QueryableIndex index,
      TimeBoundaryInspector times,
      CursorBuildSpec spec
  ) {
    if (ASKS_DRUIDS.get()) {
      return null;
    }
    ASKS_DRUIDS.set(true);
    try {
      return new QueriedCursorFactory(index, times).makeCursorHolder(spec);
    } finally {
      ASKS_DRUIDS.set(false);
    }
  }

  /** Called at the end of the constructor of Druid's mapper. */
  public static void registerModules(ObjectMapper mapper) {
    mapper.registerModules(new ShapeShiftModule().getJacksonModules());
  }

  /** Replaces Druid's index in memory; the parameters are those of Druid's builder. */
  public static IncrementalIndex makeIndex(
      IncrementalIndexSchema schema,
      int maxRowCount,
      long maxBytesInMemory,
      boolean preserveExistingMetrics
  ) {
    WrittenColumns.addRowsInMemory();
    return new ShapeShiftAppendableIndexSpec(preserveExistingMetrics)
        .builder()
        .setIndexSchema(schema)
        .setMaxRowCount(maxRowCount)
        .setMaxBytesInMemory(maxBytesInMemory)
        .build();
  }

  /** Called before a column is written. */
  public static void columnWritten(ColumnDescriptor column) {
    WrittenColumns.add(column);
  }
}
