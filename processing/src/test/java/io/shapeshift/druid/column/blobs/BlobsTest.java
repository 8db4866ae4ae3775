// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.BorrowedBuffers;
import io.shapeshift.druid.testing.RandomData;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.roaringbitmap.IntIterator;

/** Byte strings come back as they were, null, empty and others, in each form. */
@ExtendWith(RandomData.Seeded.class)
class BlobsTest {
  @ParameterizedTest
  @EnumSource(BlobColumns.Way.class)
  void valuesComeBack(BlobColumns.Way way) throws IOException {
    for (Map.Entry<String, List<byte[]>> sample : BlobColumns.samples().entrySet()) {
      for (int sectionBytes : new int[]{BlobColumns.SECTION_BYTES, 2000}) {
        final byte[] bytes =
            BlobColumns.write(sample.getValue(), way, OptimizationTarget.FASTBUTSMALLISH, sectionBytes);
        final String what = way + " of " + sample.getKey() + " in sections of " + sectionBytes;
        check(what, sample.getValue(), ByteBuffer.wrap(bytes));
        final byte[] smaller = BlobColumns.write(sample.getValue(), way, OptimizationTarget.SMALLER, sectionBytes);
        check(what + ", smaller", sample.getValue(), ByteBuffer.wrap(smaller));
        final ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 5).position(3);
        direct.put(bytes).flip().position(3);
        check(what, sample.getValue(), direct.order(ByteOrder.LITTLE_ENDIAN));
      }
    }
  }

  private static void check(String what, List<byte[]> expected, ByteBuffer bytes) {
    final int end = bytes.limit();
    final Blobs blobs = Blobs.read("c", bytes);
    assertEquals(end, bytes.position(), what);
    assertEquals(expected.size(), blobs.size(), what);
    assertEquals(expected.stream().anyMatch(Objects::isNull), blobs.hasNulls(), what);
    assertEquals(expected.stream().anyMatch(value -> value != null && value.length == 0), blobs.hasEmpty(), what);
    final IntArrayList nulls = new IntArrayList();
    for (IntIterator i = blobs.nulls().toBitmap(RoaringBitmapFactory.INSTANCE).iterator(); i.hasNext(); ) {
      nulls.add(i.next());
    }
    assertArrayEquals(
        IntStream.range(0, expected.size()).filter(i -> expected.get(i) == null).toArray(), nulls.toIntArray(), what);
    final RandomData random = RandomData.shared(46);
    final long borrowed = BorrowedBuffers.count();
    try (BlobsReader reader = blobs.reader()) {
      for (int i = 0; i < expected.size(); i++) {
        checkValue(what, expected, reader, i, false);
      }
      final List<ByteBuffer> kept = new ArrayList<>();
      final IntArrayList which = new IntArrayList();
      // In order, so that values of words are decoded several at once.
      for (int i = 0; i < expected.size(); i++) {
        which.add(i);
        kept.add(checkValue(what, expected, reader, i, true));
      }
      for (int i = 0; i < Math.min(200, expected.size()); i++) {
        which.add(random.nextInt(expected.size()));
        kept.add(checkValue(what, expected, reader, which.getInt(which.size() - 1), true));
        checkValue(what, expected, reader, random.nextInt(expected.size()), false);
      }
      for (int i = expected.size() - 1; i >= 0; i -= 9) {
        checkValue(what + " backwards", expected, reader, i, false);
      }
      for (int i = 0; i < kept.size(); i++) {
        checkValue(what + " kept", expected.get(which.getInt(i)), kept.get(i));
      }
    }
    assertEquals(borrowed, BorrowedBuffers.count(), what);
  }

  @Nullable
  private static ByteBuffer checkValue(
      String what,
      List<byte[]> expected,
      BlobsReader reader,
      int index,
      boolean isKept
  ) {
    @Nullable final ByteBuffer value = reader.get(index, isKept);
    checkValue(what + " at " + index, expected.get(index), value);
    if (value != null && !isKept) {
      // As a strategy may do.
      value.order(ByteOrder.LITTLE_ENDIAN);
    }
    return value;
  }

  private static void checkValue(String what, @Nullable byte[] expected, @Nullable ByteBuffer value) {
    if (expected == null) {
      assertNull(value, what);
    } else {
      assertNotNull(value, what);
      assertEquals(ByteOrder.BIG_ENDIAN, value.order(), what);
      final byte[] found = new byte[value.remaining()];
      value.get(value.position(), found);
      assertArrayEquals(expected, found, what);
    }
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void chosenFormsAreRead(OptimizationTarget target) throws IOException {
    for (Map.Entry<String, List<byte[]>> sample : BlobColumns.samples().entrySet()) {
      final byte[] bytes =
          BlobColumns.write(sample.getValue(), BlobColumns.Way.CHOSEN, target, BlobColumns.SECTION_BYTES);
      check(target + " " + sample.getKey(), sample.getValue(), ByteBuffer.wrap(bytes));
    }
  }

  @Test
  void eachFormIsChosen() throws IOException {
    final Set<String> chosen = new TreeSet<>();
    for (OptimizationTarget target : OptimizationTarget.values()) {
      for (List<byte[]> values : BlobColumns.samples().values()) {
        final byte[] bytes = BlobColumns.write(values, BlobColumns.Way.CHOSEN, target, BlobColumns.SECTION_BYTES);
        Blobs.read("c", ByteBuffer.wrap(bytes)).describe().forEach(section -> chosen.add(section.form()));
      }
    }
    for (BlobForm form : BlobForm.values()) {
      assertTrue(chosen.stream().anyMatch(name -> name.startsWith(form.label())), () -> form + " of " + chosen);
    }
  }

  @Test
  void sameValuesMakeTheSameBytes() throws IOException {
    for (List<byte[]> values : BlobColumns.samples().values()) {
      assertArrayEquals(
          BlobColumns.write(values, BlobColumns.Way.CHOSEN, OptimizationTarget.SMALLER, 5000),
          BlobColumns.write(values, BlobColumns.Way.CHOSEN, OptimizationTarget.SMALLER, 5000)
      );
    }
  }

  /** Words are cut as those of the first values are, and those of all values are stored. */
  @Test
  void aSectionThatIsLargerThanItsSample(RandomData random) throws IOException {
    final int length = 96;
    final int numValues = 3 * CostModel.Blobs.SAMPLE_BYTES / 2 / length;
    final List<byte[]> words = Stream.generate(() -> random.bytes(Long.BYTES)).limit(2000).toList();
    final List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < numValues; i++) {
      final ByteBuffer value = ByteBuffer.allocate(length);
      while (value.hasRemaining()) {
        // The last third has words that no value of the sample has.
        value.put(words.get(random.nextInt(1000) + (i < 2 * numValues / 3 ? 0 : 1000)));
      }
      values.add(value.array());
    }
    final byte[] bytes = BlobColumns.write(
        values, BlobColumns.Way.CHOSEN, OptimizationTarget.FASTBUTSMALLISH, BlobColumns.SECTION_BYTES);
    assertEquals(1, Blobs.read("c", ByteBuffer.wrap(bytes)).describe().size());
    assertTrue(bytes.length < numValues * length / 3, () -> bytes.length + " bytes");
    check("words", values, ByteBuffer.wrap(bytes));
  }

  /** Of each section its values and its bytes are kept in files, and nothing of the forms that were not chosen. */
  @Test
  void aSectionHasTwoFiles(@TempDir Path directory, RandomData random) throws IOException {
    final int sectionBytes = 1 << 18;
    final List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      values.add(random.bytes(20_000));
    }
    try (SegmentWriteOutMedium medium =
             TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(directory.toFile())) {
      final BlobsSerializer serializer = new BlobsSerializer(
          "c",
          medium,
          (section, scratch) -> new BlobChoice("c", scratch, OptimizationTarget.SMALLER).of(section),
          sectionBytes
      );
      for (byte[] value : values) {
        serializer.add(value);
      }
      final int sections = serializer.describe().size();
      assertEquals(5, sections);
      try (Stream<Path> files = Files.walk(directory)) {
        assertEquals(2 * sections, files.filter(Files::isRegularFile).count());
      }
      check("in files", values, ByteBuffer.wrap(BlobColumns.toBytes(serializer)));
    }
  }

  @Test
  void buffersAreAdded() throws IOException {
    final BlobsSerializer serializer =
        new BlobsSerializer("c", new OnHeapMemorySegmentWriteOutMedium(), OptimizationTarget.FASTER);
    final ByteBuffer heap = ByteBuffer.wrap(new byte[]{9, 1, 2, 9}).limit(3).position(1).slice();
    final ByteBuffer direct = ByteBuffer.allocateDirect(3).put(new byte[]{3, 4, 5}).flip();
    serializer.add(heap);
    serializer.add(direct);
    serializer.add((ByteBuffer) null);
    assertEquals(0, heap.position());
    assertEquals(0, direct.position());
    assertEquals(3, serializer.size());
    assertEquals(1, serializer.numNulls());
    assertEquals(5, serializer.numBytes());
    final List<byte[]> expected = new ArrayList<>(List.of(new byte[]{1, 2}, new byte[]{3, 4, 5}));
    expected.add(null);
    check("buffers", expected, ByteBuffer.wrap(BlobColumns.toBytes(serializer)));
    assertThrows(IllegalStateException.class, () -> serializer.add(new byte[0]));
    final List<byte[]> again = new ArrayList<>();
    serializer.forEach(again::add);
    assertEquals(3, again.size());
    assertArrayEquals(new byte[]{3, 4, 5}, again.get(1));
    assertNull(again.get(2));
  }

  @Test
  void rowsBeyondTheColumnAreRefused() throws IOException {
    final byte[] bytes = BlobColumns.write(
        BlobColumns.samples().get("texts"), BlobColumns.Way.PLAIN, OptimizationTarget.FASTER, 5000);
    try (BlobsReader reader = Blobs.read("c", ByteBuffer.wrap(bytes)).reader()) {
      for (int index : new int[]{-1, 500, Integer.MAX_VALUE}) {
        final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> reader.get(index, false));
        assertTrue(e.getMessage().contains("row " + index), e.getMessage());
      }
      assertFalse(reader.get(499, false).hasRemaining() && reader.size() != 500);
    }
  }
}
