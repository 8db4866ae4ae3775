// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.api.IntEncoding;
import io.shapeshift.druid.api.IntReader;
import io.shapeshift.druid.api.IntUse;
import io.shapeshift.druid.api.IntValues;
import io.shapeshift.druid.api.ReadCost;
import io.shapeshift.druid.api.SizeEstimate;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.EncodingException;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.select.InstalledEncodings;
import io.shapeshift.druid.testing.ModularInts;
import io.shapeshift.druid.testing.ProgressionPostings;
import io.shapeshift.druid.testing.RootNumbers;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Segments whose columns are in encodings of other jars, with and without these jars. */
@SuppressWarnings("try") // Encodings are installed while a block runs.
class AddedEncodingsTest {
  private static final int NUM_ROWS = 20_000;
  private static final String MODULAR = "test.modular";
  private static final String TO_DO = ", which no extension of this process has. Install the extension whose jar has"
      + " the encoding: on a service name it in druid.extensions.loadList, for the command-line tool in --extension";

  @TempDir
  private File folder;
  private IncrementalIndex rows;

  @BeforeEach
  void makeRows() {
    final List<Map<String, Object>> all = new ArrayList<>();
    for (int i = 0; i < NUM_ROWS; i++) {
      final int modular = i * ModularInts.STEP % ModularInts.MODULUS;
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.utc(1000L * i));
      row.put("text", StringUtils.format("text %04d", modular));
      row.put("number", 100L + 3L * modular);
      row.put("root", Math.sqrt(i));
      row.put("other", "value " + i % 10);
      all.add(row);
    }
    rows = TestSegments.rowsInMemory(
        new IncrementalIndexSchema.Builder()
            .withRollup(false)
            .withDimensionsSpec(new DimensionsSpec(List.of(
                new StringDimensionSchema("text"),
                new LongDimensionSchema("number"),
                new DoubleDimensionSchema("root"),
                new StringDimensionSchema("other")
            )))
            .build(),
        all
    );
  }

  private static InstalledEncodings install() {
    return InstalledEncodings.of(new ModularInts(MODULAR), new RootNumbers(), new ProgressionPostings());
  }

  private File write(String name, Version version) {
    return TestSegments.persist(rows, new File(folder, name), TestSegments.ALL_SHAPE_SHIFT, version);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void areReadAndMergedAsTheStockColumns(Version version) throws IOException {
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    try (InstalledEncodings installed = install()) {
      final File added = write("added", version);
      SegmentAssertions.assertSameContent(stock, added, List.of());
      final File merged = TestSegments.mergeFiles(
          List.of(added), new AggregatorFactory[0], null, false, new File(folder, "merged"),
          TestSegments.ALL_SHAPE_SHIFT, version);
      SegmentAssertions.assertSameContent(stock, merged, List.of());
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void withoutTheJarsOtherColumnsAreRead(Version version) throws IOException {
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File added;
    try (InstalledEncodings installed = install()) {
      added = write("added", version);
    }
    try (QueryableIndex index = TestSegments.open(added);
         QueryableIndex expected = TestSegments.open(stock)) {
      for (String column : List.of("other", "__time")) {
        assertEquals(CursorRows.rowByRow(expected, column, null), CursorRows.rowByRow(index, column, null));
      }
      for (String each : List.of("text " + MODULAR, "number " + MODULAR, "root " + RootNumbers.NAME)) {
        final String[] columnAndEncoding = each.split(" ");
        assertMissing(columnAndEncoding[0], columnAndEncoding[1], index, null);
      }
    }
  }

  /** Ids are read, but no rows are found by the index. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void withoutTheJarOfTheIndex(Version version) throws IOException {
    final File added;
    try (InstalledEncodings installed = install()) {
      added = write("added", version);
    }
    final DimFilter filter = new SelectorDimFilter("text", "text 0003", null);
    try (InstalledEncodings installed = InstalledEncodings.of(new ModularInts(MODULAR));
         QueryableIndex index = TestSegments.open(added)) {
      assertFalse(CursorRows.rowByRow(index, "text", null).isEmpty());
      assertMissing("text", ProgressionPostings.NAME, index, filter);
    }
  }

  private static void assertMissing(String column, String encoding, QueryableIndex index, @Nullable DimFilter filter) {
    final ColumnFormatException e =
        assertThrows(ColumnFormatException.class, () -> CursorRows.rowByRow(index, column, filter));
    final String inFile = e.getMessage().replace("[__base/", "[");
    assertEquals("Column[" + column + "]: it is stored in encoding[" + encoding + "]" + TO_DO, inFile);
  }

  /** What a process writes depends on its encodings, but not on their order, nor on those that are not chosen. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void theSameRowsGiveTheSameBytes(Version version) throws IOException {
    final Map<String, String> one;
    try (InstalledEncodings installed = install()) {
      one = checksums(write("one", version));
    }
    try (InstalledEncodings installed =
             InstalledEncodings.of(new ProgressionPostings(), new RootNumbers(), new ModularInts(MODULAR))) {
      assertEquals(one, checksums(write("other", version)));
    }
    final Map<String, String> without = checksums(write("without", version));
    try (InstalledEncodings installed = InstalledEncodings.of(new Broken("test.never", false))) {
      assertEquals(without, checksums(write("never", version)));
    }
  }

  private static Map<String, String> checksums(File segment) throws IOException {
    final Map<String, String> checksums = new TreeMap<>();
    for (File file : segment.listFiles()) {
      checksums.put(file.getName(), Integer.toHexString(Arrays.hashCode(Files.readAllBytes(file.toPath()))));
    }
    return checksums;
  }

  /** Encoding that skips all, or stores steps of 7 without any bytes and fails once it reads what it has written. */
  private static final class Broken implements IntEncoding {
    private final String name;
    private final boolean stores;
    private boolean isWritten;
    private int[] kept = new int[0];

    Broken(String name, boolean stores) {
      this.name = name;
      this.stores = stores;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public ReadCost cost() {
      return ReadCost.NONE;
    }

    @Override
    public Set<IntUse> uses() {
      return EnumSet.allOf(IntUse.class);
    }

    @Override
    public SizeEstimate estimate(IntValues values) {
      return stores && values.size() > 1 && values.get(1) - values.get(0) == ModularInts.STEP
             ? SizeEstimate.exact(1)
             : SizeEstimate.skip();
    }

    @Override
    public double scanNanos(IntValues values) {
      return 0.1;
    }

    @Override
    public double sparseNanos(IntValues values) {
      return 0;
    }

    @Override
    public void encode(IntValues values, ByteBuffer out) {
      out.put((byte) 0);
      kept = new int[values.size()];
      values.copy(0, kept, 0, kept.length);
    }

    @Override
    public IntReader open(ByteBuffer chunk, int numValues) {
      if (isWritten) {
        return index -> kept[0] / Math.min(0, index);
      }
      return index -> kept[index];
    }
  }

  /** The error names column, chunk, offset and encoding. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void aReaderThatFails(Version version) throws IOException {
    final Broken broken = new Broken("test.broken", true);
    try (InstalledEncodings installed = InstalledEncodings.of(broken)) {
      final File segment = write("broken", version);
      broken.isWritten = true;
      try (QueryableIndex index = TestSegments.open(segment)) {
        for (String column : List.of("text", "number")) {
          final ColumnFormatException e =
              assertThrows(ColumnFormatException.class, () -> CursorRows.rowByRow(index, column, null));
          assertTrue(
              e.getMessage().matches("Column\\[(__base/)?" + column + "]: chunk 0 at offset \\d+ \\("
                  + "(test.broken|linear)\\): test.broken failed, of damaged bytes or by a fault in its jar: java.lang"
                  + ".ArithmeticException: / by zero. The segment is damaged: .*"),
              e.getMessage()
          );
        }
      }
    }
  }

  @Test
  void aWriterThatFails() {
    final Broken broken = new Broken("test.broken", true);
    broken.isWritten = true;
    try (InstalledEncodings installed = InstalledEncodings.of(broken)) {
      final EncodingException e = assertThrows(EncodingException.class, () -> write("broken", Version.V9));
      assertTrue(
          e.getMessage().matches("Encoding\\[test.broken] failed to encode \\d+ values: java.lang.ArithmeticException:"
              + " / by zero. Report this to the author of the jar that has it, and remove the jar where segments are"
              + " written"),
          e.getMessage()
      );
    }
  }
}
