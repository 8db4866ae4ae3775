// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.StoredSegment.Column;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.golden.GoldenRows;
import io.shapeshift.druid.segment.golden.GoldenSegment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.utils.CompressionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A segment of a later release is refused column by column, with one error that says so: each layout that has a version
 * says that of the next one here, and descriptors name what is not known yet.
 */
class LaterReleaseTest {
  static final String NEWER = ". A newer druid-shapeshift wrote it, unless the segment is damaged: use the"
      + " release that wrote it, or a newer one, on every Druid service";

  @TempDir
  private static Path folder;

  private StoredSegment segment;

  @BeforeEach
  void openGoldenSegment() throws IOException {
    final GoldenSegment kind = new GoldenSegment(OptimizationTarget.FASTBUTSMALLISH, Version.V9);
    try (InputStream zip = LaterReleaseTest.class.getResourceAsStream(kind.resource())) {
      CompressionUtils.unzip(zip, folder.toFile());
    }
    segment = StoredSegment.open(folder.toFile());
  }

  @AfterEach
  void close() {
    segment.close();
  }

  /** The files of the segment, but for one of them. */
  private record Files(SegmentFileMapper files, Map<String, ByteBuffer> changed) implements SegmentFileMapper {
    @Override
    public Set<String> getInternalFilenames() {
      return files.getInternalFilenames();
    }

    @Nullable
    @Override
    public ByteBuffer mapFile(String name) throws IOException {
      return changed.containsKey(name) ? changed.get(name).duplicate() : files.mapFile(name);
    }

    @Nullable
    @Override
    public ByteBuffer mapExternalFile(String filename, String name) throws IOException {
      return files.mapExternalFile(filename, name);
    }

    @Override
    public void close() {}
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  private BaseColumnHolder open(ObjectNode descriptor, ByteBuffer body, Map<String, ByteBuffer> changed)
      throws IOException {
    return TestSegments.JSON.treeToValue(descriptor, ColumnDescriptor.class)
        .read(body, ColumnConfig.DEFAULT, new Files(segment.files(), changed), null);
  }

  /** Asserts that a column is read as it is, and refused with a later version in its own file. */
  private void assertRefused(String name, int offset, String found) throws IOException {
    assertRefused(name, offset, name, found);
  }

  /** The same where the error names a part of the column. */
  private void assertRefused(String name, int offset, String part, String found) throws IOException {
    final Column column = segment.column(name);
    final ObjectNode descriptor = column.descriptor().deepCopy();
    assertNotNull(open(descriptor, column.body(), Map.of()).getCapabilities());
    final ByteBuffer later = copy(column.body());
    assertEquals(1, later.get(offset), name);
    later.put(offset, (byte) 4);
    assertMessage(part, found, () -> open(descriptor, later, Map.of()));
  }

  private interface Opening {
    Object run() throws IOException;
  }

  private static void assertMessage(String name, String found, Opening opening) {
    final ColumnFormatException e = assertThrows(ColumnFormatException.class, opening::run);
    assertEquals("Column[" + name + "]: " + found + NEWER, e.getMessage());
  }

  @Test
  void numbers() throws IOException {
    for (String column : List.of("longWide", "doubleSplit", "floatAny", "__time", "longMetric")) {
      assertRefused(column, Integer.BYTES, "its version at offset 0 is 4, this druid-shapeshift knows 1");
    }
  }

  @Test
  void hashIndexes() throws IOException {
    for (String column : List.of("longKey", "doubleKey", "floatKey")) {
      final ByteBuffer body = segment.column(column).body().order(ByteOrder.BIG_ENDIAN);
      body.position(Integer.BYTES + body.getInt(0));
      final int index = body.position() + Integer.BYTES + body.getInt(body.position());
      assertRefused(
          column, index, "the version at offset 0 of its hash index is 4, this druid-shapeshift knows 1");
    }
  }

  /** Druid's version and flags, dictionary, ids, index, which tell where the next one begins. */
  @Test
  void strings() throws IOException {
    final ByteBuffer body = segment.column("urls").body();
    body.position(1 + Integer.BYTES);
    assertRefused(
        "urls",
        body.position(),
        "the version at offset 0 of its dictionary is 4, this druid-shapeshift knows 1"
    );
    assertTrue(StringDictionary.read("urls", body).size() > 100);
    final String column = "its version at offset 0 is 4, this druid-shapeshift knows 1";
    assertRefused("urls", body.position(), column);
    assertEquals(GoldenRows.COUNT, readInts(body));
    assertRefused(
        "urls", body.position(), "the version at offset 0 of its index is 4, this druid-shapeshift knows 1");
  }

  @Test
  void severalStrings() throws IOException {
    final ByteBuffer body = segment.column("tags").body();
    body.position(1 + Integer.BYTES);
    assertTrue(StringDictionary.read("tags", body).size() > 100);
    final String column = "its version at offset 0 is 4, this druid-shapeshift knows 1";
    assertRefused("tags", body.position(), "tags (offsets)", column);
    assertEquals(GoldenRows.COUNT + 1, readInts(body));
    assertRefused("tags", body.position(), "tags (values)", column);
  }

  private static int readInts(ByteBuffer body) {
    final ByteBuffer ints = body.duplicate().order(ByteOrder.nativeOrder());
    final int size = ShapeShiftingColumnarIntsSupplier.read("ids", ints).get().size();
    body.position(ints.position());
    return size;
  }

  @Test
  void filesOfAutoColumns() throws IOException {
    final Map<String, String> files = new HashMap<>();
    files.put("autoWords.__encodedColumn", "its version at offset 0");
    files.put("autoWords.__valueIndexes", "the version at offset 0 of its index");
    files.put("autoWords.__stringDictionary", "the version at offset 0 of its dictionary");
    files.put("autoLongs.__longColumn", "its version at offset 0");
    files.put("autoLongs.__longDictionary", "the version at offset 0 of its dictionary");
    files.put("autoDoubles.__doubleColumn", "its version at offset 0");
    files.put("autoDoubles.__doubleDictionary", "the version at offset 0 of its dictionary");
    files.put("autoWordArrays.__arrayElementIndexes", "the version at offset 0 of its index");
    for (Map.Entry<String, String> each : files.entrySet()) {
      final String file = each.getKey();
      final Column column = segment.column(file.substring(0, file.indexOf('.')));
      final ByteBuffer later = copy(segment.files().mapFile(file));
      final int version = Byte.toUnsignedInt(later.get(0));
      // Beside Druid's, which count from 0.
      assertEquals(file.matches("auto(Longs|Doubles).*Dictionary") ? 129 : 1, version, file);
      // Version 2 of a dictionary of strings would be taken for Druid's own.
      final int laterVersion = version + 2;
      later.put(0, (byte) laterVersion);
      assertMessage(
          file,
          each.getValue() + " is " + laterVersion + ", this druid-shapeshift knows " + version,
          () -> open(column.descriptor().deepCopy(), column.body(), Map.of(file, later))
      );
      final ByteBuffer longer = appended(segment.files().mapFile(file));
      assertMessage(
          file, BEHIND, () -> open(column.descriptor().deepCopy(), column.body(), Map.of(file, longer)));
    }
  }

  private static final String BEHIND = "there are 3 bytes after the last part that this druid-shapeshift knows";

  private static ByteBuffer appended(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining() + 3).put(bytes.duplicate()).put(new byte[] {1, 2, 3}).flip();
  }

  /** A part that a later release adds after all others. */
  @Test
  void bytesBehindColumns() throws IOException {
    for (String name : List.of("urls", "tags", "longWide", "doubleSplit", "floatAny", "__time", "longKey")) {
      final Column column = segment.column(name);
      final ObjectNode descriptor = column.descriptor().deepCopy();
      assertThrows(ColumnFormatException.class, () -> open(descriptor, appended(column.body()), Map.of()), name);
    }
    final Column urls = segment.column("urls");
    assertMessage("urls", BEHIND, () -> open(urls.descriptor().deepCopy(), appended(urls.body()), Map.of()));
    final Column keys = segment.column("longKey");
    assertMessage("longKey", BEHIND, () -> open(keys.descriptor().deepCopy(), appended(keys.body()), Map.of()));
    // Within the size of the numbers.
    final ByteBuffer body = keys.body();
    final int size = body.getInt(0);
    final ByteBuffer larger = ByteBuffer.allocate(body.remaining() + 3).putInt(size + 3);
    larger.put(body.duplicate().position(Integer.BYTES).limit(Integer.BYTES + size)).put(new byte[3]);
    larger.put(body.duplicate().position(Integer.BYTES + size)).flip();
    assertMessage("longKey", BEHIND, () -> open(keys.descriptor().deepCopy(), larger, Map.of()));
  }

  @Test
  void flagsOfStrings() throws IOException {
    for (String name : List.of("urls", "tags")) {
      final Column column = segment.column(name);
      final ByteBuffer later = copy(column.body());
      final int flags = later.getInt(1) | 8;
      later.putInt(1, flags);
      assertMessage(
          name,
          "its flags are " + Integer.toBinaryString(flags)
              + "; this druid-shapeshift knows only those of Druid 37, the lowest three",
          () -> open(column.descriptor().deepCopy(), later, Map.of())
      );
    }
  }

  /** Without them a column would be read in another way than it was written. */
  @Test
  void propertiesThatAreNotThere() throws IOException {
    final Map<String, List<String>> properties = Map.of(
        "urls", List.of("parts", "byteOrder", "bitmapSerdeFactory"),
        "longKey", List.of("byteOrder", "bitmapSerdeFactory"),
        "doubleAny", List.of("byteOrder", "bitmapSerdeFactory"),
        "floatAny", List.of("byteOrder", "bitmapSerdeFactory"),
        "autoLongs", List.of("files", "stock")
    );
    for (Map.Entry<String, List<String>> each : properties.entrySet()) {
      final Column column = segment.column(each.getKey());
      for (String property : each.getValue()) {
        final ObjectNode descriptor = column.descriptor().deepCopy();
        part(descriptor).remove(property);
        final ColumnFormatException e = assertThrows(
            ColumnFormatException.class, () -> open(descriptor, column.body(), Map.of()), property);
        final String expected = "Column[" + each.getKey() + "]: its descriptor has no " + property + ".";
        assertTrue(e.getMessage().startsWith(expected), e.getMessage());
      }
    }
  }

  /** Druid's mapper ignores what it does not know; of a column's format that would be dangerous. */
  @Test
  void propertiesOfDescriptors() throws IOException {
    for (String name : List.of("urls", "tags", "longKey", "doubleAny", "floatAny", "autoLongs")) {
      final Column column = segment.column(name);
      final ObjectNode descriptor = column.descriptor().deepCopy();
      part(descriptor).put("twist", "left").put("mirror", true);
      assertMessage(
          name,
          "its descriptor has mirror, twist, which this druid-shapeshift does not know",
          () -> open(descriptor, column.body(), Map.of())
      );
    }
  }

  private static ObjectNode part(ObjectNode descriptor) {
    return (ObjectNode) descriptor.path("parts").path(0);
  }

  @Test
  void partsOfStringsAndFilesOfAutoColumns() throws IOException {
    final Column urls = segment.column("urls");
    final ObjectNode strings = urls.descriptor().deepCopy();
    ((ArrayNode) part(strings).path("parts")).add("smell");
    assertMessage(
        "urls",
        "its descriptor has the part smell, which this druid-shapeshift does not know",
        () -> open(strings, urls.body(), Map.of())
    );
    final Column words = segment.column("autoWords");
    final ObjectNode auto = words.descriptor().deepCopy();
    ((ArrayNode) part(auto).path("files")).add("__smells");
    assertMessage(
        "autoWords",
        "its descriptor has the file __smells, which this druid-shapeshift does not know",
        () -> open(auto, words.body(), Map.of())
    );
  }

  /** Other columns of the segment are read all the same. */
  @Test
  void typesOfParts() throws IOException {
    final Column column = segment.column("urls");
    for (int again = 0; again < 2; again++) {
      final ObjectNode descriptor = column.descriptor().deepCopy();
      part(descriptor).put("type", "shapeshift.stringDictionaryOfTomorrow").put("twist", "left");
      assertMessage(
          "urls",
          "its descriptor names a type of column that this druid-shapeshift does not know",
          () -> open(descriptor, column.body(), Map.of())
      );
    }
    final ObjectNode others = column.descriptor().deepCopy();
    part(others).put("type", "somebody.else");
    final Exception e = assertThrows(IOException.class, () -> open(others, column.body(), Map.of()));
    assertTrue(e.getMessage().contains("Could not resolve type id 'somebody.else'"), e.getMessage());
  }
}
