// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.ImmutableMap;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.postings.PostingForms;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingFormat;
import org.apache.druid.segment.data.ListIndexed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class SpeedTestTest {
  /** Where Druid's longs say how they are stored. */
  private static final int LONG_FORMAT_OFFSET = 10;

  private static SpeedTest speedTest;

  /** It is not about figures: all is read once. */
  @BeforeAll
  static void make() {
    speedTest = new SpeedTest(1, 0);
  }

  @AfterAll
  static void close() {
    speedTest.close();
  }

  /** A dictionary that takes its time, and one with a null. */
  @Test
  void textsAreReadByTheirIds() {
    final ByteBuffer text = ByteBuffer.wrap(new byte[]{1, 2, 3});
    final Map<String, Double> nanos = speedTest.measureTexts(ImmutableMap.of(
        "slow", new ListIndexed<>(Arrays.asList(null, text)) {
          @Override
          public ByteBuffer get(int index) {
            assertTrue(index == 0 || index == 1);
            final long start = System.nanoTime();
            while (System.nanoTime() - start < 2000) {
              Thread.onSpinWait();
            }
            return super.get(index);
          }
        },
        "fast", new ListIndexed<>(Arrays.asList(null, text))
    ));
    assertEquals(List.of("slow", "fast"), List.copyOf(nanos.keySet()));
    assertTrue(nanos.get("fast") > 0, nanos::toString);
    assertTrue(nanos.get("slow") > 2 * nanos.get("fast"), nanos::toString);
  }

  /** Otherwise the compiler would make code for the rest alone, which is faster than a server ever sees. */
  @Test
  void theJvmHasReadEveryFormAndEveryStockClass() throws IOException {
    final Set<String> forms = new TreeSet<>();
    final Map<NumberType, Set<String>> formsOfNumbers = new EnumMap<>(NumberType.class);
    final Set<String> classes = new TreeSet<>();
    final Set<Byte> longFormats = new TreeSet<>();
    for (Pollution.Column each : speedTest.pollution().columns()) {
      final EncodedRows rows = each.rows();
      final Set<String> seen = each.values() instanceof RowValues.Numbers numbers
          ? formsOfNumbers.computeIfAbsent(numbers.type(), type -> new TreeSet<>())
          : forms;
      seen.addAll(rows.forms().keySet());
      try (Closeable column = rows.column().get()) {
        classes.add(column.getClass().getSimpleName());
      }
      if (each.encoding().name().equals("druid-auto-lz4")) {
        // A compression's id that is negative says that a format follows it.
        longFormats.add(rows.bytes().get(LONG_FORMAT_OFFSET - 1) < 0
                        ? rows.bytes().get(LONG_FORMAT_OFFSET)
                        : LongEncodingFormat.LONGS.getId());
      }
    }
    assertEquals(names(IntForms.of(IntForm.Use.IDS)), forms);
    for (NumberType type : NumberType.values()) {
      assertEquals(names(NumberForms.of(type)), formsOfNumbers.get(type), type.toString());
    }
    assertEquals(
        Set.of(LongEncodingFormat.DELTA.getId(), LongEncodingFormat.TABLE.getId(), LongEncodingFormat.LONGS.getId()),
        longFormats
    );
    assertTrue(
        classes.containsAll(Set.of(
            "CompressedByteSizeColumnarInts",
            "CompressedShortSizeColumnarInts",
            "CompressedVSizeColumnarInts",
            "CompressedFullSizeColumnarInts",
            "VSizeColumnarInts"
        )),
        classes::toString
    );
  }

  @Test
  void theJvmHasFilteredByEveryFormOfPostingLists() {
    assertEquals(names(PostingForms.ALL), speedTest.indexPollution().forms());
  }

  private static Set<String> names(List<? extends Form<?, ?>> forms) {
    return forms.stream().map(Form::name).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyEncodingAndEveryShareIsMeasured() throws IOException {
    final RowValues values = new RowValues.Longs(LongStream.range(0, 600).toArray());
    final Map<String, EncodedRows> encodings = new LinkedHashMap<>();
    for (RowEncoding encoding : RowEncodings.all(BlockSize.LARGE)) {
      encodings.put(encoding.name(), encoding.encode("test", values));
    }
    try {
      final Map<String, SpeedTest.Speed> speeds = speedTest.measure(encodings, 600);
      assertEquals(encodings.keySet(), speeds.keySet());
      speeds.forEach((name, speed) -> {
        assertTrue(speed.scan() > 0, name);
        assertEquals(Set.copyOf(SpeedTest.SHARES), speed.select().keySet());
        speed.select().forEach((share, nanos) -> assertTrue(nanos > 0, name + share));
      });
    } finally {
      encodings.values().forEach(EncodedRows::close);
    }
  }
}
