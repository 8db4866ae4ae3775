// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import io.shapeshift.druid.incremental.ShapeShiftAppendableIndexSpec;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.commons.io.FileUtils;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.BaseProgressIndicator;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexMergerV10;
import org.apache.druid.segment.IndexMergerV9;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.incremental.AppendableIndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.apache.druid.segment.writeout.SegmentWriteOutMediumFactory;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;

/**
 * The two segments of a case: one as Druid without the extension writes it, and ours.
 *
 * @param stock        null where nothing was written, since there are no rows, or it failed
 * @param stockFailure why it failed, if it did
 */
record SegmentPair(
    File folder,
    @Nullable QueryableIndex stock,
    @Nullable QueryableIndex ours,
    @Nullable RuntimeException stockFailure,
    @Nullable RuntimeException ourFailure
) implements AutoCloseable {
  static SegmentPair of(Case table) throws IOException {
    final File folder = Files.createTempDirectory("differential").toFile();
    @Nullable QueryableIndex stock = null;
    @Nullable QueryableIndex ours = null;
    @Nullable RuntimeException stockFailure = null;
    @Nullable RuntimeException ourFailure = null;
    try {
      stock = segment(table, false, new File(folder, "stock"));
    } catch (RuntimeException e) {
      stockFailure = e;
    } catch (AssertionError e) {
      // Druid's own, as where a metric of some inputs is null when rows are rolled up that cannot be null.
      stockFailure = new IllegalStateException(e);
    }
    try {
      ours = segment(table, true, new File(folder, "ours"));
    } catch (RuntimeException e) {
      ourFailure = e;
    } catch (AssertionError e) {
      ourFailure = new IllegalStateException(e);
    }
    return new SegmentPair(folder, stock, ours, stockFailure, ourFailure);
  }

  /** Whether both are there to be asked. */
  boolean areWritten() {
    return stock != null && ours != null;
  }

  /** What tells one from the other before anything is asked; null for nothing. */
  @Nullable
  String difference() {
    if (stockFailure != null || ourFailure != null) {
      final boolean isSame =
          stockFailure != null && ourFailure != null && stockFailure.getClass() == ourFailure.getClass();
      return isSame ? null : "Written as " + stockFailure + ", ours as " + ourFailure;
    }
    final int stockRows = stock == null ? 0 : stock.getNumRows();
    final int ourRows = ours == null ? 0 : ours.getNumRows();
    return stockRows == ourRows ? null : stockRows + " rows, ours has " + ourRows;
  }

  @Nullable
  private static QueryableIndex segment(Case table, boolean isOurs, File folder) throws IOException {
    final Case.Storage storage = table.storage();
    final List<QueryableIndex> parts = new ArrayList<>();
    for (int i = 0; i < table.parts().size(); i++) {
      final Case.Part part = table.parts().get(i);
      final boolean isOurPart = isOurs && !(storage.mixed() && i % 2 == 1);
      try (IncrementalIndex rows = inMemory(table.schema(), part.rows(), isOurs && part.offHeap())) {
        if (rows.numRows() > 0) {
          parts.add(TestSegments.open(merger(storage.version(), isOurPart).persist(
              rows,
              Intervals.ETERNITY,
              new File(folder, "part" + i),
              isOurPart ? storage.ours() : storage.stock(),
              null
          )));
        }
      }
    }
    if (parts.isEmpty()) {
      return null;
    }
    if (storage.nested() && parts.size() > 2) {
      final QueryableIndex first = merge(table, parts.subList(0, 2), isOurs, new File(folder, "first"));
      parts.subList(0, 2).clear();
      parts.add(0, first);
    }
    return parts.size() == 1 ? parts.get(0) : merge(table, parts, isOurs, new File(folder, "merged"));
  }

  static IncrementalIndex inMemory(TableSchema schema, List<Map<String, Object>> rows, boolean isOffHeap) {
    final AppendableIndexSpec spec = isOffHeap
        ? new ShapeShiftAppendableIndexSpec(schema.preservesMetrics())
        : new OnheapIncrementalIndex.Spec(schema.preservesMetrics());
    final IncrementalIndex index =
        spec.builder().setIndexSchema(schema.incremental()).setMaxRowCount(Integer.MAX_VALUE).build();
    rows.forEach(row -> index.add(schema.inputRow(row)));
    return index;
  }

  private static QueryableIndex merge(Case table, List<QueryableIndex> parts, boolean isOurs, File folder)
      throws IOException {
    final IndexSpec spec = isOurs ? table.storage().ours() : table.storage().stock();
    final File merged = merger(table.storage().version(), isOurs).mergeQueryableIndex(
        List.copyOf(parts),
        table.schema().rollup(),
        table.schema().metrics().toArray(AggregatorFactory[]::new),
        table.schema().dimensions(),
        folder,
        spec,
        spec,
        new BaseProgressIndicator(),
        null,
        IndexMerger.UNLIMITED_MAX_COLUMNS_TO_MERGE
    );
    parts.forEach(QueryableIndex::close);
    return TestSegments.open(merged);
  }

  /** One that stores columns of nulls alone, as services have it. */
  private static IndexMerger merger(Version version, boolean isOurs) {
    final SegmentWriteOutMediumFactory medium = TmpFileSegmentWriteOutMediumFactory.instance();
    if (isOurs) {
      return TestSegments.merger(version);
    }
    return version == Version.V9
           ? new IndexMergerV9(TestSegments.JSON, TestSegments.INDEX_IO, medium, true)
           : new IndexMergerV10(TestSegments.JSON, TestSegments.INDEX_IO, medium);
  }

  @Override
  public void close() throws IOException {
    if (stock != null) {
      stock.close();
    }
    if (ours != null) {
      ours.close();
    }
    FileUtils.deleteDirectory(folder);
  }
}
