// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.form.Forms;
import io.shapeshift.druid.form.IntChunk;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.select.OptimizationTarget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.BiConsumer;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSerializer;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSupplier;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.SingleValueColumnarIntsSerializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.openjdk.jmh.infra.Blackhole;

/** Columns of ints to measure. */
final class IntColumns {
  static final int ROWS = 1 << 18;

  private static final String SHAPE_SHIFT = "shapeshift-";
  private static final String FORM = "form-";
  private static final String DRUID = "druid-";

  private IntColumns() {}

  /** Values of a distribution; the same at each call. */
  static int[] values(String distribution) {
    final Random random = new Random(distribution.hashCode());
    final int[] values = new int[ROWS];
    switch (distribution) {
      case "constant" -> Arrays.fill(values, 7);
      case "sequential" -> Arrays.setAll(values, i -> i);
      case "runs" -> {
        int value = 0;
        for (int i = 0; i < ROWS; i++) {
          value = random.nextInt(50) == 0 ? random.nextInt(1000) : value;
          values[i] = value;
        }
      }
      // Most ids are small, a few are of any size.
      case "zipf" -> Arrays.setAll(values, i -> (int) Math.min(100_000, 1 / (1 - random.nextDouble())));
      case "uniform1" -> Arrays.setAll(values, i -> random.nextInt(1 << 7));
      case "uniform2" -> Arrays.setAll(values, i -> random.nextInt(1 << 12));
      case "uniform3" -> Arrays.setAll(values, i -> random.nextInt(1 << 20));
      case "uniform4" -> Arrays.setAll(values, i -> random.nextInt(Integer.MAX_VALUE));
      default -> throw new IllegalArgumentException("There is no distribution " + distribution);
    }
    return values;
  }

  /** Writes values and opens them for reading. */
  static ColumnarInts write(int[] values, String encoding) throws IOException {
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final SingleValueColumnarIntsSerializer serializer = serializer(values, encoding, medium);
      serializer.open();
      serializer.addValues(values, 0, values.length);
      final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      serializer.writeTo(Channels.newChannel(bytes), null);
      final ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.size());
      buffer.put(bytes.toByteArray()).flip();
      return !encoding.startsWith(DRUID)
             ? ShapeShiftingColumnarIntsSupplier.read(encoding, buffer.order(IndexIO.BYTE_ORDER)).get()
             : CompressedVSizeColumnarIntsSupplier.fromByteBuffer(buffer, IndexIO.BYTE_ORDER, null).get();
    }
  }

  private static SingleValueColumnarIntsSerializer serializer(
      int[] values,
      String encoding,
      SegmentWriteOutMedium medium
  ) {
    if (!encoding.startsWith(DRUID)) {
      return new ShapeShiftingColumnarIntsSerializer(
          encoding,
          medium,
          BlockSize.LARGE,
          selector(encoding),
          IndexIO.BYTE_ORDER
      );
    }
    return CompressedVSizeColumnarIntsSerializer.create(
        encoding,
        medium,
        encoding,
        Arrays.stream(values).max().orElse(0),
        CompressionStrategy.fromString(encoding.substring(DRUID.length())),
        medium.getCloser()
    );
  }

  /** Selects for a target, or always one form. */
  private static FormSelector<IntChunk> selector(String encoding) {
    if (encoding.startsWith(SHAPE_SHIFT)) {
      final String target = encoding.substring(SHAPE_SHIFT.length()).toUpperCase(Locale.ROOT);
      return FormSelector.forInts(OptimizationTarget.valueOf(target));
    }
    return FormSelector.of(
        Forms.INTS.stream().filter(form -> encoding.equals(FORM + form.name())).toList(),
        OptimizationTarget.SMALLER
    );
  }

  /** Has columns of all widths and forms read, often enough for the JIT compiler to have seen them. */
  static void readAllKinds(BiConsumer<ColumnarInts, Blackhole> reader) throws IOException {
    final Blackhole blackhole =
        new Blackhole("Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.");
    for (String encoding : List.of("druid-lz4", "shapeshift-smaller", "shapeshift-fastbutsmallish",
        "shapeshift-faster")) {
      for (String distribution : List.of("constant", "sequential", "runs", "zipf", "uniform1", "uniform2", "uniform3",
          "uniform4")) {
        try (ColumnarInts column = write(values(distribution), encoding)) {
          for (int i = 0; i < 3; i++) {
            reader.accept(column, blackhole);
          }
        }
      }
    }
  }
}
