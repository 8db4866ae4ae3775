// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.testing.RandomData;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.java.util.common.io.smoosh.FileSmoosher;
import org.apache.druid.java.util.common.io.smoosh.SmooshedFileMapper;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.NestedDataColumnSchema;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexIndexableAdapter;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.SimpleQueryableIndex;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.ListIndexed;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.nested.FieldTypeInfo;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.apache.druid.segment.nested.NestedDataComplexColumn;
import org.apache.druid.segment.nested.StructuredData;
import org.apache.druid.segment.projections.ConstantTimeColumn;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nested columns that are too large for one file: a limit of some KB stands for that of 2 GiB. They have the content of
 * Druid's column.
 */
class SeveralFilesTest {
  private static final String COLUMN = "event";
  private static final int NUM_ROWS = 400;
  private static final int MOST_BYTES = 1 << 14;
  private static final NestedCommonFormatColumnFormatSpec FORMAT =
      NestedCommonFormatColumnFormatSpec.getEffectiveFormatSpec(null, TestSegments.STOCK.getEffectiveSpec());

  static {
    BuiltInTypesModule.registerHandlersAndSerde();
  }

  private final Closer closer = Closer.create();
  @TempDir
  private File folder;
  private QueryableIndex stock;

  @BeforeEach
  void writeStock() throws IOException {
    final RandomData random = new RandomData(1);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < NUM_ROWS; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.utc(i).toString());
      row.put(COLUMN, i % 17 == 3 ? null : event(random, i));
      rows.add(row);
    }
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(new NestedDataColumnSchema(COLUMN, 5))))
        .withRollup(false)
        .build();
    try (IncrementalIndex index = TestSegments.rowsInMemory(schema, rows)) {
      stock = closer.register(TestSegments.open(
          TestSegments.persist(index, new File(folder, "stock"), TestSegments.STOCK, Version.V9)));
    }
  }

  @AfterEach
  void close() throws IOException {
    closer.close();
  }

  private static Map<String, Object> event(RandomData random, int row) {
    final Map<String, Object> event = new LinkedHashMap<>();
    event.put("text", text(random, 100));
    event.put("kind", "kind" + row % 7);
    if (row % 3 == 0) {
      event.put("maybe", row % 2 == 0 ? text(random, 400) : (Object) (long) row);
      event.put("list", List.of(text(random, 200), "b"));
    }
    if (row % 5 == 0) {
      event.put("mixed", Arrays.asList(1L, text(random, 300)));
    }
    return event;
  }

  /** A text that no coding makes smaller by more than a fifth. */
  private static String text(RandomData random, int length) {
    final StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append((char) random.between(' ', '~'));
    }
    return text.toString();
  }

  /** Writes a nested column with a limit of the size of files. */
  private static void write(
      BaseColumnHolder rows,
      OptimizationTarget target,
      int mostBytes,
      int numRows,
      SegmentWriteOutMedium medium,
      File directory
  ) throws IOException {
    final SortedMap<String, FieldTypeInfo.MutableTypeSet> fields = new TreeMap<>();
    try (IndexableAdapter.NestedColumnMergable merged = adapter(rows).getNestedColumnMergeables(COLUMN);
         NestedColumnValues values =
             new NestedColumnValues(COLUMN, List.of(merged.getValueDictionary()), medium, directory);
         BaseColumn column = rows.getColumn()) {
      merged.mergeFieldsInto(fields);
      final NestedColumnSerializer serializer = new NestedColumnSerializer(
          COLUMN, fields, values, EncodingStrategy.shapeShift(target, BlockSize.LARGE), FORMAT, medium, mostBytes);
      final SimpleAscendingOffset row = new SimpleAscendingOffset(numRows);
      final ColumnValueSelector<?> selector = column.makeColumnValueSelector(row);
      for (; row.withinBounds(); row.increment()) {
        serializer.add(StructuredData.wrap(selector.getObject()));
      }
      try (FileSmoosher files = new FileSmoosher(directory);
           SegmentFileChannel channel = files.addWithChannel(COLUMN, serializer.getSerializedSize())) {
        serializer.writeTo(channel, files);
      }
    }
  }

  private static IndexableAdapter adapter(BaseColumnHolder rows) {
    return new QueryableIndexIndexableAdapter(new SimpleQueryableIndex(
        Intervals.ETERNITY,
        new ListIndexed<>(List.of(COLUMN)),
        RoaringBitmapSerdeFactory.getInstance().getBitmapFactory(),
        Map.of(
            ColumnHolder.TIME_COLUMN_NAME, ConstantTimeColumn.makeConstantTimeSupplier(NUM_ROWS, 0),
            COLUMN, () -> rows
        ),
        null
    ) {
      @Nullable
      @Override
      public Metadata getMetadata() {
        return null;
      }
    });
  }

  private SegmentFileMapper write(BaseColumnHolder rows, OptimizationTarget target, int mostBytes, String name)
      throws IOException {
    final File directory = new File(folder, name);
    assertTrue(directory.mkdir());
    try (SegmentWriteOutMedium medium =
             TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(folder)) {
      write(rows, target, mostBytes, NUM_ROWS, medium, directory);
    }
    return closer.register(SmooshedFileMapper.load(directory));
  }

  private SegmentFileMapper written(OptimizationTarget target) throws IOException {
    return write(stock.getColumnHolder(COLUMN), target, MOST_BYTES, "ours");
  }

  private static BaseColumnHolder read(SegmentFileMapper files) throws IOException {
    return ColumnDescriptor
        .builder()
        .setValueType(ValueType.COMPLEX)
        .addSerde(new ShapeShiftNestedColumnPartSerde(COLUMN, true, false, IndexIO.BYTE_ORDER, FORMAT, null))
        .build()
        .read(files.mapFile(COLUMN), ColumnConfig.DEFAULT, files, null);
  }

  private void assertSame(BaseColumnHolder ours) throws IOException {
    try (BaseColumn expected = stock.getColumnHolder(COLUMN).getColumn(); BaseColumn actual = ours.getColumn()) {
      NestedColumnTest.assertSame(
          COLUMN, NUM_ROWS, (NestedDataComplexColumn) expected, (NestedDataComplexColumn) actual);
    }
  }

  private static Set<String> matching(SegmentFileMapper files, String pattern) {
    return files.getInternalFilenames().stream()
        .filter(file -> file.matches(COLUMN + "\\." + pattern))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @EnumSource
  void hasTheContentOfDruids(OptimizationTarget target) throws IOException {
    final SegmentFileMapper files = written(target);
    final BaseColumnHolder ours = read(files);
    assertTrue(matching(files, "__kept.*").size() > 2, () -> files.getInternalFilenames().toString());
    assertTrue(matching(files, "__fields.*").size() > 2, () -> files.getInternalFilenames().toString());
    final NestedColumnDescription description = description(files);
    final Set<String> inFiles = new TreeSet<>();
    for (int field = 0; field < description.fields().size(); field++) {
      final long bytes = bytes(files, "__strings_" + field + "_.*");
      if (bytes > 0) {
        inFiles.add(description.fields().get(field).name());
        assertTrue(bytes > MOST_BYTES);
        assertTrue(description.fields().get(field).sections().get("strings") > bytes);
      }
    }
    assertEquals(Set.of("$.list", "$.maybe", "$.mixed", "$.text"), inFiles);
    assertEquals(
        bytes(files, ".*"),
        description.fields().stream().mapToLong(NestedColumnDescription.FieldParts::bytes).sum()
            + description.objects().keptBytes()
    );
    assertSame(ours);

    final SegmentFileMapper again = write(ours, target, MOST_BYTES, "again");
    assertSame(read(again));
    assertEquals(files.getInternalFilenames(), again.getInternalFilenames());
    for (String file : files.getInternalFilenames()) {
      assertEquals(files.mapFile(file), again.mapFile(file), file);
    }
    final SegmentFileMapper whole = write(ours, target, 1 << 30, "whole");
    assertEquals(Set.of(COLUMN, "event.__fields", "event.__kept"), whole.getInternalFilenames());
    assertSame(read(whole));
  }

  private static NestedColumnDescription description(SegmentFileMapper files) throws IOException {
    return NestedColumnDescription.read(COLUMN, files.mapFile(COLUMN), files, IndexIO.BYTE_ORDER, FORMAT);
  }

  private static long bytes(SegmentFileMapper files, String pattern) throws IOException {
    long bytes = 0;
    for (String file : matching(files, pattern)) {
      bytes += files.mapFile(file).remaining();
    }
    return bytes;
  }

  /** What no dictionary in files of its own makes small enough is refused. */
  @Test
  void refusesIdsThatAreTooLarge() {
    final ColumnFormatException e = assertThrows(
        ColumnFormatException.class,
        () -> write(stock.getColumnHolder(COLUMN), OptimizationTarget.FASTBUTSMALLISH, 200, "tooSmall"));
    assertTrue(e.getMessage().matches(".*event.* bytes of the field \\$\\.\\w+; .* at most 200.*"), e::getMessage);
  }

  /** Files of a segment of which one is not there, or is another. */
  private record Damaged(SegmentFileMapper files, String file, @Nullable ByteBuffer bytes)
      implements SegmentFileMapper {
    @Nullable
    @Override
    public ByteBuffer mapFile(String name) throws IOException {
      return name.equals(file) ? bytes : files.mapFile(name);
    }

    @Nullable
    @Override
    public ByteBuffer mapExternalFile(String external, String name) throws IOException {
      return files.mapExternalFile(external, name);
    }

    @Override
    public Set<String> getInternalFilenames() {
      return files.getInternalFilenames();
    }

    @Override
    public void close() {}
  }

  /** Each file may be missing, cut, or that of other rows: the error names the column, and what is wrong with it. */
  @Test
  void damagedFiles() throws IOException {
    final SegmentFileMapper files = written(OptimizationTarget.SMALLER);
    assertDamaged(files, "event.__kept_1", null, "does not have its file event.__kept_1");
    assertDamaged(files, "event.__kept_1", ByteBuffer.allocate(0), "event.__kept_1");
    assertDamaged(files, "event.__kept_1", files.mapFile("event.__kept"), "rows, expected " + NUM_ROWS);
    assertDamaged(files, "event.__fields_1", null, "does not have its file event.__fields_1");
    for (String suffix : List.of("header", "value_0", "value_1")) {
      assertDamaged(files, "event.__strings_4_" + suffix, null, "$.text");
      assertDamaged(files, "event.__strings_4_" + suffix, ByteBuffer.allocate(5), "$.text");
    }
    assertDamaged(files, "event.__fields_2", withoutOrder(files.mapFile("event.__fields_2")), "said to be unsorted");
    final ByteBuffer head = files.mapFile(COLUMN);
    final byte[] more = new byte[head.remaining()];
    head.get(more);
    more[1]++;
    assertDamaged(files, COLUMN, ByteBuffer.wrap(more), "does not have its file event.__kept_");
  }

  /** Clears the flag of a dictionary in several files that its texts are sorted. */
  private static ByteBuffer withoutOrder(ByteBuffer field) {
    final byte[] bytes = new byte[field.remaining()];
    field.get(bytes);
    final int name = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("event.__strings_");
    // Version and flag of Druid's head are before three ints and the name.
    bytes[name - 3 * Integer.BYTES - 1] = 0;
    return ByteBuffer.wrap(bytes);
  }

  private static void assertDamaged(
      SegmentFileMapper files, String file, @Nullable ByteBuffer bytes, String expected) {
    final SegmentFileMapper damaged = new Damaged(files, file, bytes);
    final ColumnFormatException e = assertThrows(
        ColumnFormatException.class,
        () -> {
          try (BaseColumn column = read(damaged).getColumn()) {
            for (int row = 0; row < NUM_ROWS; row++) {
              ((NestedDataComplexColumn) column).getRowValue(row);
            }
          }
        },
        file
    );
    assertTrue(e.getMessage().contains("event") && e.getMessage().contains(expected), e::getMessage);
  }
}
