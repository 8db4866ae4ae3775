// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.CursorRows;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.testing.Tier;
import io.shapeshift.druid.tool.analysis.Analyzer;
import io.shapeshift.druid.tool.cli.ColumnOption;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.inspect.InspectCommand;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import io.shapeshift.druid.tool.verify.SegmentVerifier;
import io.shapeshift.druid.tool.verify.Status;
import io.shapeshift.druid.tool.verify.VerifiedSegment;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.annotation.Nullable;
import org.apache.druid.query.filter.AndDimFilter;
import org.apache.druid.query.filter.BoundDimFilter;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.InDimFilter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.OrDimFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.ordering.StringComparators;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Segments that older Druids wrote are read, converted both ways, and answer as before. {@code scripts/old-segments}
 * wrote them: for each release all types of columns, both ways of nulls, and several options of an indexSpec.
 */
@Tag("slow")
class OldSegmentsTest {
  private static final List<String> RELEASES = List.of(
      "0.22.1", "24.0.1", "25.0.0", "26.0.0", "27.0.0", "28.0.1", "29.0.1", "30.0.1", "31.0.2", "32.0.1", "33.0.0",
      "35.0.1", "36.0.0");
  /** The columns that tell rows apart. */
  private static final List<String> TOLD = List.of("text", "long", "double");
  private static final PrintWriter OUT = new PrintWriter(Writer.nullWriter(), false);

  @TempDir
  private Path folder;

  private static Stream<Arguments> all() {
    return RELEASES.stream().flatMap(release -> {
      final Set<String> names = new TreeSet<>();
      try (ZipInputStream zip = open(release)) {
        for (@Nullable ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          names.add(entry.getName().substring(0, entry.getName().indexOf('/')));
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      return names.stream().map(name -> Arguments.of(release, name));
    });
  }

  static List<Arguments> segments() {
    return Tier.oneIn(7, all());
  }

  private static ZipInputStream open(String release) {
    final InputStream zip = OldSegmentsTest.class.getResourceAsStream("/old-segments/" + release + ".zip");
    return new ZipInputStream(zip, StandardCharsets.UTF_8);
  }

  /** Unpacks a segment into the folder. */
  private Path unpack(String release, String name) throws IOException {
    final Path directory = Files.createDirectory(folder.resolve("old"));
    try (ZipInputStream zip = open(release)) {
      for (@Nullable ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().startsWith(name + "/")) {
          Files.copy(zip, directory.resolve(entry.getName().substring(name.length() + 1)));
        }
      }
    }
    return directory;
  }

  private Path convert(Path from, String to, EncodingStrategy strategy) {
    final Path out = folder.resolve(to);
    final RowEncoding encoding =
        RowEncodings.of(strategy, CompressionStrategy.LZ4, CompressionStrategy.LZ4, LongEncodingStrategy.LONGS);
    new Conversion(encoding, false).run(from, SegmentLocation.find(List.of(from)), out);
    return out;
  }

  private static VerifiedSegment check(Path path) {
    try (Segment segment = Segment.open(path)) {
      return SegmentVerifier.check(segment, column -> true);
    }
  }

  private static void assertSame(Path expected, Path actual) {
    try (Segment first = Segment.open(expected); Segment second = Segment.open(actual)) {
      final VerifiedSegment compared = SegmentVerifier.compare(first, second, column -> true);
      assertEquals(0, compared.countProblems(), compared::toString);
    }
    final VerifiedSegment checked = check(actual);
    assertEquals(0, checked.countProblems(), checked::toString);
  }

  @ParameterizedTest
  @MethodSource("segments")
  void areConvertedBothWaysAndAnswerAsBefore(String release, String name) throws IOException {
    final Path old = unpack(release, name);
    final VerifiedSegment checked = check(old);
    assertEquals(0, checked.countProblems(), checked::toString);
    assertEquals(0, new CommandLine(new InspectCommand()).setOut(OUT).execute(old.toString()));
    final Path ours = convert(old, "ours", EncodingStrategy.shapeShift(OptimizationTarget.SMALLER, BlockSize.LARGE));
    final Path back = convert(ours, "back", EncodingStrategy.COMPRESSION);
    assertSame(old, ours);
    assertSame(old, back);
    try (QueryableIndex expected = TestSegments.open(old.toFile())) {
      final List<DimFilter> filters = filters(expected);
      assertTrue(filters.size() > 300, () -> filters.size() + " filters");
      try (QueryableIndex inOurs = TestSegments.open(ours.toFile());
           QueryableIndex inBack = TestSegments.open(back.toFile())) {
        for (DimFilter filter : Tier.oneIn(3, filters.stream())) {
          final List<Object> rows = answer(expected, filter);
          assertEquals(rows, answer(inOurs, filter), filter::toString);
          assertEquals(rows, answer(inBack, filter), filter::toString);
        }
      }
    }
  }

  /** The rows that a filter finds, by either engine. */
  private static List<Object> answer(QueryableIndex index, DimFilter filter) {
    final CursorBuildSpec spec = CursorBuildSpec.builder().setFilter(filter.toFilter()).build();
    final List<Object> rows = CursorRows.rowByRow(index, TOLD, spec);
    rows.addAll(CursorRows.byVectors(index, TOLD, spec));
    return rows;
  }

  /** Filters on each column, alone and in trees with strings and numbers. */
  private static List<DimFilter> filters(QueryableIndex index) throws IOException {
    final DimFilter plain = new EqualityFilter("plain", ColumnType.STRING, value(index, "plain", 0), null);
    final DimFilter number = new RangeFilter("long", ColumnType.LONG, 0, null, false, false, null);
    final DimFilter orNull = NullFilter.forColumn("longOrNull");
    final List<DimFilter> filters = new ArrayList<>();
    for (String column : index.getColumnNames()) {
      for (DimFilter leaf : leaves(index, column)) {
        filters.add(leaf);
        filters.add(new NotDimFilter(leaf));
        filters.add(new AndDimFilter(List.of(plain, leaf)));
        filters.add(new OrDimFilter(List.of(plain, new NotDimFilter(leaf))));
        filters.add(new NotDimFilter(new OrDimFilter(List.of(leaf, new AndDimFilter(List.of(number, orNull))))));
      }
    }
    return filters;
  }

  private static List<DimFilter> leaves(QueryableIndex index, String column) throws IOException {
    final List<DimFilter> leaves = new ArrayList<>();
    leaves.add(NullFilter.forColumn(column));
    final ColumnType type = index.getColumnCapabilities(column).toColumnType();
    if (!type.isPrimitive()) {
      return leaves;
    }
    final Set<String> texts = new TreeSet<>();
    for (int row = 0; row < index.getNumRows(); row += 23) {
      @Nullable final Object value = value(index, column, row);
      if (value != null) {
        texts.add(value.toString());
        leaves.add(new EqualityFilter(column, type, value, null));
        leaves.add(new RangeFilter(column, type, value, null, row == 0, false, null));
      }
    }
    if (!texts.isEmpty()) {
      final String text = texts.iterator().next();
      leaves.add(new InDimFilter(column, texts));
      leaves.add(new LikeDimFilter(column, text.isEmpty() ? "%" : text.charAt(0) + "%", null, null));
      leaves.add(new BoundDimFilter(
          column, text, null, true, false, null, null,
          type.isNumeric() ? StringComparators.NUMERIC : StringComparators.LEXICOGRAPHIC));
    }
    return leaves;
  }

  /** The value of a row, the first of several; null if it has none. */
  @Nullable
  private static Object value(QueryableIndex index, String column, int row) throws IOException {
    try (BaseColumn opened = index.getColumnHolder(column).getColumn()) {
      final SimpleAscendingOffset offset = new SimpleAscendingOffset(index.getNumRows());
      offset.setCurrentOffset(row);
      @Nullable final Object value = opened.makeColumnValueSelector(offset).getObject();
      return value instanceof List<?> several ? several.get(0) : value;
    }
  }

  @Test
  void areAnalyzed() throws IOException {
    for (String release : RELEASES) {
      final Path old = unpack(release, "nulls-default");
      final int columns = new Analyzer(
          new Analyzer.Options(new ColumnOption(), BlockSize.LARGE, false, false, false, null))
          .analyze(SegmentLocation.find(List.of(old))).segments().get(0).columns().size();
      assertTrue(columns > 10, () -> columns + " columns");
      Files.move(old, folder.resolve(release));
    }
  }

  /** A column whose bitmaps are not of the segment's kind fails queries that combine them, and verify says so. */
  @Test
  void bitmapsOfAnotherKindAreFound() throws IOException {
    final Path ours = convert(
        unpack("27.0.0", "zeros-default"),
        "ours",
        EncodingStrategy.shapeShift(OptimizationTarget.FASTER, BlockSize.LARGE)
    );
    final Path file = ours.resolve("00000.smoosh");
    final String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    final String number = "\"columnName\":\"longSum\",\"bitmapSerdeFactory\":{\"type\":\"";
    assertTrue(bytes.contains(number + "roaring"));
    Files.writeString(file, bytes.replace(number + "roaring", number + "concise"), StandardCharsets.ISO_8859_1);
    assertCannotBeCombined(check(ours));
    try (Segment segment = Segment.open(ours); Segment same = Segment.open(ours)) {
      // Columns without a string among them are combined with each other.
      assertCannotBeCombined(SegmentVerifier.check(segment, Set.of("__time", "longOrNull", "longSum")::contains));
      final VerifiedSegment both = SegmentVerifier.compare(segment, same, column -> true);
      assertEquals(2, both.countProblems(), both::toString);
      assertTrue(both.problems().get(0).message().startsWith("in the first: column longSum: "), both::toString);
      assertTrue(both.problems().get(1).message().startsWith("in the second: column longSum: "), both::toString);
      // A copy may be as its original is.
      assertNull(SegmentVerifier.compareCopy(segment, same).firstProblem());
    }
  }

  @Test
  void elementsThatAreNoArraysAreNoted() throws IOException {
    final VerifiedSegment checked = check(unpack("26.0.0", "nulls-default"));
    assertEquals(0, checked.countProblems(), checked::toString);
    assertTrue(
        checked.columns().stream().anyMatch(
            column -> column.status() == Status.NOTE && column.message().contains("ARRAY_CONTAINS")),
        checked::toString
    );
    assertTrue(checked.count(Status.NOTE) < checked.columns().size() / 4, checked::toString);
  }

  private static void assertCannotBeCombined(VerifiedSegment checked) {
    assertEquals(1, checked.countProblems(), checked::toString);
    final String problem = checked.firstProblem();
    assertTrue(
        problem.startsWith("column longSum: a query with the filter ")
            && problem.contains("ClassCastException"),
        problem
    );
  }
}
