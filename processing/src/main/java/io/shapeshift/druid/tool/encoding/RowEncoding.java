// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Ascii;
import com.google.common.base.Supplier;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.form.Forms;
import io.shapeshift.druid.form.IntChunk;
import io.shapeshift.druid.form.IntForm;
import io.shapeshift.druid.segment.EncodingStrategy;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.select.OptimizationTarget;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.druid.error.DruidException;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.data.ArrayBasedIndexedInts;
import org.apache.druid.segment.data.ColumnarDoublesSerializer;
import org.apache.druid.segment.data.ColumnarFloatsSerializer;
import org.apache.druid.segment.data.ColumnarIntsSerializer;
import org.apache.druid.segment.data.ColumnarLongsSerializer;
import org.apache.druid.segment.data.ColumnarMultiIntsSerializer;
import org.apache.druid.segment.data.CompressedColumnarDoublesSuppliers;
import org.apache.druid.segment.data.CompressedColumnarFloatsSupplier;
import org.apache.druid.segment.data.CompressedColumnarLongsSupplier;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSerializer;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSupplier;
import org.apache.druid.segment.data.CompressionFactory;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.GenericIndexedWriter;
import org.apache.druid.segment.data.SingleValueColumnarIntsSerializer;
import org.apache.druid.segment.data.V3CompressedVSizeColumnarMultiIntsSerializer;
import org.apache.druid.segment.data.V3CompressedVSizeColumnarMultiIntsSupplier;
import org.apache.druid.segment.data.VSizeColumnarInts;
import org.apache.druid.segment.data.VSizeColumnarIntsSerializer;
import org.apache.druid.segment.data.VSizeColumnarMultiInts;
import org.apache.druid.segment.data.VSizeColumnarMultiIntsSerializer;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;

/**
 * A way to store the rows of a column: one of Druid's own, as its mergers write them, or shape-shifting.
 */
public abstract sealed class RowEncoding {
  private static final String DRUID = "druid-";
  private static final String AUTO = "auto-";
  private static final String SHAPE_SHIFT = "shapeshift-";
  private static final String FORM = "form-";

  /** Druid's default, with which all others are compared. */
  public static final RowEncoding DRUID_LZ4 = new Stock(CompressionStrategy.LZ4);

  private final String name;

  private RowEncoding(String name) {
    this.name = name;
  }

  /** Druid's own encodings, the default first. */
  public static List<RowEncoding> stock() {
    return List.of(
        DRUID_LZ4,
        new Stock(CompressionStrategy.ZSTD),
        new Stock(CompressionStrategy.UNCOMPRESSED)
    );
  }

  /** The shape-shifting encoding under each target. */
  public static List<RowEncoding> shapeShifting(BlockSize blockSize) {
    return Stream.of(OptimizationTarget.values()).<RowEncoding>map(target -> new ShapeShift(target, blockSize))
                 .toList();
  }

  /** All encodings that {@code analyze} compares, Druid's first. */
  public static List<RowEncoding> all(BlockSize blockSize) {
    final List<RowEncoding> all = new ArrayList<>(stock());
    all.addAll(shapeShifting(blockSize));
    return List.copyOf(all);
  }

  /** The encoding of ids that a strategy asks for. */
  public static RowEncoding of(EncodingStrategy strategy, CompressionStrategy compression) {
    return strategy.isShapeShift()
           ? new ShapeShift(strategy.optimizationTarget(), strategy.blockSize())
           : new Stock(compression);
  }

  /**
   * The encoding of a name: {@code druid-COMPRESSION} as in {@code druid-lz4}, {@code druid-auto-COMPRESSION} for longs
   * under Druid's strategy auto, {@code shapeshift-TARGET} or {@code shapeshift-TARGET-BLOCKSIZE} as in
   * {@code shapeshift-faster-small}, {@code form-FORM} for shape-shifting columns in one form alone, whether or not it
   * suits them.
   *
   * @throws IllegalArgumentException if there is no such encoding; the message says what there is
   */
  public static RowEncoding parse(String name) {
    return parsed(name).orElseThrow(() -> new IllegalArgumentException(
        "There is no encoding " + name + ". There are " + DRUID + "COMPRESSION and, for longs, " + DRUID + AUTO
            + "COMPRESSION, as in " + DRUID_LZ4.name + ", " + SHAPE_SHIFT + "TARGET with a target of "
            + lowerCase(OptimizationTarget.values()) + ", " + SHAPE_SHIFT + "TARGET-BLOCKSIZE with a block size of "
            + lowerCase(BlockSize.values()) + ", and " + FORM + "FORM with a form of "
            + forms().map(IntForm::name).collect(Collectors.joining(", "))
    ));
  }

  /** All forms but those that are of use to codecs only. */
  private static Stream<IntForm> forms() {
    return Forms.INTS.stream()
        .filter(form -> !FormSelector.of(List.of(form), OptimizationTarget.SMALLER).forms().isEmpty());
  }

  private static Optional<RowEncoding> parsed(String name) {
    if (name.startsWith(DRUID)) {
      final boolean auto = name.startsWith(AUTO, DRUID.length());
      final String compression = name.substring(DRUID.length() + (auto ? AUTO.length() : 0));
      return constant(CompressionStrategy.values(), compression)
          .map(each -> auto ? new Stock(DRUID + AUTO + each, each, LongEncodingStrategy.AUTO) : new Stock(each));
    }
    if (name.startsWith(FORM)) {
      return forms()
          .filter(form -> name.equals(FORM + form.name()))
          .<RowEncoding>map(form ->
              new ShapeShift(name, FormSelector.of(List.of(form), OptimizationTarget.SMALLER), BlockSize.LARGE))
          .findFirst();
    }
    if (!name.startsWith(SHAPE_SHIFT)) {
      return Optional.empty();
    }
    final String[] parts = name.substring(SHAPE_SHIFT.length()).split("-", 2);
    final Optional<OptimizationTarget> target = constant(OptimizationTarget.values(), parts[0]);
    return parts.length == 1
           ? target.map(each -> new ShapeShift(each, BlockSize.LARGE))
           : target.flatMap(each -> constant(BlockSize.values(), parts[1])
               .map(blockSize -> new ShapeShift(name, FormSelector.forInts(each), blockSize)));
  }

  private static <T extends Enum<T>> Optional<T> constant(T[] constants, String name) {
    return Stream.of(constants).filter(each -> Ascii.toLowerCase(each.name()).equals(name)).findFirst();
  }

  private static String lowerCase(Enum<?>[] constants) {
    return Stream.of(constants).map(each -> Ascii.toLowerCase(each.name())).collect(Collectors.joining(", "));
  }

  /** The name of the shape-shifting encoding under a target. */
  public static String shapeShiftName(OptimizationTarget target) {
    return SHAPE_SHIFT + Ascii.toLowerCase(target.name());
  }

  /** Its name, such as {@code druid-lz4} or {@code shapeshift-smaller}. */
  public final String name() {
    return name;
  }

  /** What a row part that is stored so has for its encoding: Druid's name of a compression, or shapeshift. */
  public abstract String storedAs();

  /** Whether it is one of the extension's. */
  public final boolean isShapeShifting() {
    return this instanceof ShapeShift;
  }

  /** Whether it can store such values: Druid's encodings all can. */
  public abstract boolean supports(RowValues values);

  /**
   * Stores values.
   *
   * @param column name of the column, for messages
   * @param values such as {@link #supports} says yes to
   * @throws IOException if there is no room for them where the system keeps temporary files
   */
  public final EncodedRows encode(String column, RowValues values) throws IOException {
    // A directory of its own: Druid's media in one directory share their files' folder, and each deletes it.
    try (TemporaryDirectory directory = TemporaryDirectory.create("shapeshift-rows");
         SegmentWriteOutMedium medium =
             TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(directory.path().toFile())) {
      return EncodedRows.write(write(column, values, medium), bytes -> open(column, values, bytes));
    } catch (DruidException e) {
      // What Druid makes of a temporary file that cannot be written.
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /**
   * Hands values to Druid's or our serializer, from which the encoded ones can be had.
   *
   * @param column name of the column, for messages
   * @param values such as {@link #supports} says yes to
   * @param medium where the serializer keeps what it has; to be closed after the serializer was used
   */
  public abstract Serializer write(String column, RowValues values, SegmentWriteOutMedium medium) throws IOException;

  /** Opens what was written of values. */
  abstract Supplier<? extends Closeable> open(String column, RowValues values, ByteBuffer bytes);

  private static void addAll(ColumnarIntsSerializer serializer, RowValues values) throws IOException {
    serializer.open();
    if (values instanceof RowValues.Ids single) {
      ((SingleValueColumnarIntsSerializer) serializer).addValues(single.ids(), 0, single.ids().length);
      return;
    }
    final RowValues.MultiIds multi = (RowValues.MultiIds) values;
    final ColumnarMultiIntsSerializer rows = (ColumnarMultiIntsSerializer) serializer;
    for (int row = 0; row < multi.rows(); row++) {
      final int start = multi.offsets()[row];
      final int length = multi.offsets()[row + 1] - start;
      final int[] ids = new int[length];
      System.arraycopy(multi.ids(), start, ids, 0, length);
      rows.addValues(new ArrayBasedIndexedInts(ids));
    }
  }

  /** Druid's own columns. */
  private static final class Stock extends RowEncoding {
    private final CompressionStrategy compression;
    private final LongEncodingStrategy longEncoding;

    private Stock(CompressionStrategy compression) {
      this(DRUID + compression, compression, LongEncodingStrategy.LONGS);
    }

    private Stock(String name, CompressionStrategy compression, LongEncodingStrategy longEncoding) {
      super(name);
      this.compression = compression;
      this.longEncoding = longEncoding;
    }

    @Override
    public String storedAs() {
      return compression.toString();
    }

    @Override
    public boolean supports(RowValues values) {
      return longEncoding == LongEncodingStrategy.LONGS || values instanceof RowValues.Longs;
    }

    @Override
    public Serializer write(String column, RowValues values, SegmentWriteOutMedium medium) throws IOException {
      if (values instanceof RowValues.Ids single) {
        return writeSingle(column, single, medium);
      }
      if (values instanceof RowValues.MultiIds multi) {
        return writeMulti(column, multi, medium);
      }
      return writeNumbers(column, values, medium);
    }

    @Override
    Supplier<? extends Closeable> open(String column, RowValues values, ByteBuffer bytes) {
      if (values instanceof RowValues.Ids) {
        return isCompressed()
               ? CompressedVSizeColumnarIntsSupplier.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null)
               : VSizeColumnarInts.readFromByteBuffer(bytes);
      }
      if (values instanceof RowValues.MultiIds) {
        return isCompressed()
               ? V3CompressedVSizeColumnarMultiIntsSupplier.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null)
               : VSizeColumnarMultiInts.readFromByteBuffer(bytes);
      }
      if (values instanceof RowValues.Longs) {
        return CompressedColumnarLongsSupplier.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null);
      }
      return values instanceof RowValues.Floats
             ? CompressedColumnarFloatsSupplier.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null)
             : CompressedColumnarDoublesSuppliers.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null);
    }

    private boolean isCompressed() {
      return compression != CompressionStrategy.UNCOMPRESSED;
    }

    private Serializer writeSingle(String column, RowValues.Ids values, SegmentWriteOutMedium medium)
        throws IOException {
      // Druid's mergers give the cardinality as the largest value, one too many.
      final SingleValueColumnarIntsSerializer serializer =
          isCompressed()
          ? CompressedVSizeColumnarIntsSerializer.create(
              column,
              medium,
              column,
              values.cardinality(),
              compression,
              medium.getCloser()
          )
          : new VSizeColumnarIntsSerializer(medium, values.cardinality());
      addAll(serializer, values);
      return serializer;
    }

    private Serializer writeMulti(String column, RowValues.MultiIds values, SegmentWriteOutMedium medium)
        throws IOException {
      final ColumnarMultiIntsSerializer serializer =
          isCompressed()
          ? V3CompressedVSizeColumnarMultiIntsSerializer.create(
              column,
              medium,
              column,
              values.cardinality(),
              compression,
              GenericIndexedWriter.MAX_FILE_SIZE
          )
          : new VSizeColumnarMultiIntsSerializer(column, medium, values.cardinality());
      addAll(serializer, values);
      return serializer;
    }

    private Serializer writeNumbers(String column, RowValues values, SegmentWriteOutMedium medium)
        throws IOException {
      // Numbers without blocks: what Druid calls uncompressed there is blocks all the same.
      final CompressionStrategy compression = isCompressed() ? this.compression : CompressionStrategy.NONE;
      if (values instanceof RowValues.Longs longs) {
        final ColumnarLongsSerializer writer = CompressionFactory.getLongSerializer(
            column,
            medium,
            column,
            IndexIO.BYTE_ORDER,
            longEncoding,
            compression,
            medium.getCloser()
        );
        writer.open();
        for (long value : longs.values()) {
          writer.add(value);
        }
        return writer;
      }
      if (values instanceof RowValues.Floats floats) {
        final ColumnarFloatsSerializer writer = CompressionFactory.getFloatSerializer(
            column,
            medium,
            column,
            IndexIO.BYTE_ORDER,
            compression,
            medium.getCloser()
        );
        writer.open();
        for (float value : floats.values()) {
          writer.add(value);
        }
        return writer;
      }
      final ColumnarDoublesSerializer writer = CompressionFactory.getDoubleSerializer(
          column,
          medium,
          column,
          IndexIO.BYTE_ORDER,
          compression,
          medium.getCloser()
      );
      writer.open();
      for (double value : ((RowValues.Doubles) values).values()) {
        writer.add(value);
      }
      return writer;
    }
  }

  /** Shape-shifting columns. */
  private static final class ShapeShift extends RowEncoding {
    private final FormSelector<IntChunk> selector;
    private final BlockSize blockSize;

    private ShapeShift(OptimizationTarget target, BlockSize blockSize) {
      this(shapeShiftName(target), FormSelector.forInts(target), blockSize);
    }

    private ShapeShift(String name, FormSelector<IntChunk> selector, BlockSize blockSize) {
      super(name);
      this.selector = selector;
      this.blockSize = blockSize;
    }

    @Override
    public String storedAs() {
      return "shapeshift";
    }

    @Override
    public boolean supports(RowValues values) {
      return values instanceof RowValues.Ids || values instanceof RowValues.MultiIds;
    }

    @Override
    public Serializer write(String column, RowValues values, SegmentWriteOutMedium medium) throws IOException {
      final ColumnarIntsSerializer serializer =
          values instanceof RowValues.Ids
          ? new ShapeShiftingColumnarIntsSerializer(column, medium, blockSize, selector, IndexIO.BYTE_ORDER)
          : new ShapeShiftingColumnarMultiIntsSerializer(column, medium, blockSize, selector, IndexIO.BYTE_ORDER);
      addAll(serializer, values);
      return serializer;
    }

    @Override
    Supplier<? extends Closeable> open(String column, RowValues values, ByteBuffer bytes) {
      return values instanceof RowValues.Ids
             ? ShapeShiftingColumnarIntsSupplier.read(column, bytes.order(IndexIO.BYTE_ORDER))
             : ShapeShiftingColumnarMultiIntsSupplier.read(column, bytes.order(IndexIO.BYTE_ORDER));
    }
  }
}
