// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Ascii;
import com.google.common.base.Supplier;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarFloatsSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarFloatsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.error.DruidException;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.data.ArrayBasedIndexedInts;
import org.apache.druid.segment.data.ColumnarDoublesSerializer;
import org.apache.druid.segment.data.ColumnarFloatsSerializer;
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
  /** How shape-shifting row parts say that they are stored. */
  public static final String SHAPE_SHIFTING = "shapeshift";

  private static final String DRUID = "druid-";
  private static final String AUTO = "auto-";
  private static final String SHAPE_SHIFT = SHAPE_SHIFTING + "-";
  static final String FORM = "form-";

  /** Druid's default, with which all others are compared. */
  public static final RowEncoding DRUID_LZ4 = new Stock(CompressionStrategy.LZ4, LongEncodingStrategy.LONGS);

  private final String name;

  private RowEncoding(String name) {
    this.name = name;
  }

  /** Druid's own encodings of all types, the default first. */
  public static List<RowEncoding> stock() {
    return stock(LongEncodingStrategy.LONGS);
  }

  private static List<RowEncoding> stock(LongEncodingStrategy longEncoding) {
    return Stream.of(CompressionStrategy.LZ4, CompressionStrategy.ZSTD, CompressionStrategy.UNCOMPRESSED)
        .<RowEncoding>map(compression -> new Stock(compression, longEncoding))
        .toList();
  }

  /** The shape-shifting encoding under each target. */
  public static List<RowEncoding> shapeShifting(BlockSize blockSize) {
    return Stream.of(OptimizationTarget.values()).<RowEncoding>map(target -> new ShapeShift(target, blockSize))
                 .toList();
  }

  /** All encodings that {@code analyze} compares: Druid's first, then those that it has for longs only, then ours. */
  public static List<RowEncoding> all(BlockSize blockSize) {
    final List<RowEncoding> all = new ArrayList<>(stock());
    all.addAll(stock(LongEncodingStrategy.AUTO));
    all.addAll(shapeShifting(blockSize));
    return List.copyOf(all);
  }

  /**
   * The encoding that an indexSpec asks for.
   *
   * @param strategy          of the type; the others matter only where it asks for Druid's own columns
   * @param idCompression     {@code dimensionCompression}
   * @param numberCompression {@code metricCompression}, which is that of dimensions of numbers as well
   * @param longEncoding      {@code longEncoding}
   */
  public static RowEncoding of(
      EncodingStrategy strategy,
      CompressionStrategy idCompression,
      CompressionStrategy numberCompression,
      LongEncodingStrategy longEncoding
  ) {
    return strategy.isShapeShift()
           ? new ShapeShift(strategy.optimizationTarget(), strategy.blockSize())
           : new Stock(idCompression, numberCompression, longEncoding);
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
            + String.join(", ", formNames())
    ));
  }

  /** The forms of any type, but for those that are of use to codecs only. */
  private static Set<String> formNames() {
    final Set<String> names = new LinkedHashSet<>();
    IntForms.of(IntForm.Use.IDS).forEach(form -> names.add(form.name()));
    for (NumberType type : NumberType.values()) {
      NumberForms.of(type).forEach(form -> names.add(form.name()));
    }
    return names;
  }

  private static Optional<RowEncoding> parsed(String name) {
    if (name.startsWith(DRUID)) {
      final boolean auto = name.startsWith(AUTO, DRUID.length());
      return constant(CompressionStrategy.values(), name.substring(DRUID.length() + (auto ? AUTO.length() : 0)))
          .map(each -> new Stock(each, auto ? LongEncodingStrategy.AUTO : LongEncodingStrategy.LONGS));
    }
    if (name.startsWith(FORM)) {
      final String form = name.substring(FORM.length());
      return formNames().contains(form)
             ? Optional.of(new ShapeShift(name, new OneForm(form), BlockSize.LARGE))
             : Optional.empty();
    }
    if (!name.startsWith(SHAPE_SHIFT)) {
      return Optional.empty();
    }
    final String[] parts = name.substring(SHAPE_SHIFT.length()).split("-", 2);
    final Optional<OptimizationTarget> target = constant(OptimizationTarget.values(), parts[0]);
    return parts.length == 1
           ? target.map(each -> new ShapeShift(each, BlockSize.LARGE))
           : target.flatMap(each -> constant(BlockSize.values(), parts[1])
               .map(blockSize -> new ShapeShift(name, new AllForms(each), blockSize)));
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

  /** Whether it is one of the extension's. */
  public final boolean isShapeShifting() {
    return this instanceof ShapeShift;
  }

  /** The name of the encoding that values other than longs have where longs have the one of a name. */
  public static String withoutLongs(String name) {
    return name.startsWith(DRUID + AUTO) ? DRUID + name.substring(DRUID.length() + AUTO.length()) : name;
  }

  /** What Druid compresses ids with; null if this is none of Druid's. */
  @Nullable
  public final CompressionStrategy idCompression() {
    return this instanceof Stock stock ? stock.idCompression : null;
  }

  /** What Druid compresses numbers with; null if this is none of Druid's. */
  @Nullable
  public final CompressionStrategy numberCompression() {
    return this instanceof Stock stock ? stock.numberCompression : null;
  }

  /** How Druid encodes longs before it compresses them; null if this is none of Druid's. */
  @Nullable
  public final LongEncodingStrategy longEncoding() {
    return this instanceof Stock stock ? stock.longEncoding : null;
  }

  /**
   * What the columns of a type have in a segment of this encoding: Druid's default for numbers, where it is one form
   * alone, since few forms can store all numbers.
   */
  public final RowEncoding of(EncodedType type) {
    return this instanceof ShapeShift ours && ours.choice instanceof OneForm && type != EncodedType.INT
           ? DRUID_LZ4
           : this;
  }

  /** What becomes of this encoding in the ids of {@code auto} columns: Druid always compresses those. */
  public final RowEncoding ofAutoIds() {
    return idCompression() == CompressionStrategy.UNCOMPRESSED ? DRUID_LZ4 : this;
  }

  /** Whether it can store such values: Druid's encodings all can, but for those of longs only. */
  public abstract boolean supports(RowValues values);

  /**
   * Stores values.
   *
   * @param column name of the column, for messages
   * @param values such as {@link #supports} says yes to
   * @throws IOException           if there is no room for them where the system keeps temporary files
   * @throws ColumnFormatException if they take more than one file can have, 2 GiB
   */
  public final EncodedRows encode(String column, RowValues values) throws IOException {
    // A directory of its own: Druid's media in one directory share their files' folder, and each deletes it.
    try (TemporaryDirectory directory = TemporaryDirectory.create("shapeshift-rows");
         SegmentWriteOutMedium medium =
             TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(directory.path().toFile())) {
      return EncodedRows.write(column, write(column, values, medium), bytes -> open(column, values, bytes));
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
  public final Serializer write(String column, RowValues values, SegmentWriteOutMedium medium) throws IOException {
    if (values instanceof RowValues.Ids single) {
      final SingleValueColumnarIntsSerializer serializer = ids(column, single.cardinality(), medium);
      serializer.open();
      serializer.addValues(single.ids(), 0, single.ids().length);
      return serializer;
    }
    if (values instanceof RowValues.MultiIds multi) {
      final ColumnarMultiIntsSerializer serializer = multiIds(column, multi.cardinality(), medium);
      serializer.open();
      addAll(serializer, multi);
      return serializer;
    }
    if (values instanceof RowValues.Longs longs) {
      final ColumnarLongsSerializer serializer = longs(column, medium);
      serializer.open();
      for (long value : underNulls().in(longs.values(), longs.nulls())) {
        serializer.add(value);
      }
      return serializer;
    }
    if (values instanceof RowValues.Floats floats) {
      final ColumnarFloatsSerializer serializer = floats(column, medium);
      serializer.open();
      for (float value : underNulls().in(floats.values(), floats.nulls())) {
        serializer.add(value);
      }
      return serializer;
    }
    final RowValues.Doubles doubles = (RowValues.Doubles) values;
    final ColumnarDoublesSerializer serializer = doubles(column, medium);
    serializer.open();
    for (double value : underNulls().in(doubles.values(), doubles.nulls())) {
      serializer.add(value);
    }
    return serializer;
  }

  private static void addAll(ColumnarMultiIntsSerializer serializer, RowValues.MultiIds values) throws IOException {
    for (int row = 0; row < values.rows(); row++) {
      final int start = values.offsets()[row];
      final int length = values.offsets()[row + 1] - start;
      final int[] ids = new int[length];
      System.arraycopy(values.ids(), start, ids, 0, length);
      serializer.addValues(new ArrayBasedIndexedInts(ids));
    }
  }

  /** Opens what was written of values. */
  abstract Supplier<? extends Closeable> open(String column, RowValues values, ByteBuffer bytes);

  abstract RowValues.UnderNulls underNulls();

  // ---- serializers, not opened yet

  abstract SingleValueColumnarIntsSerializer ids(String column, int cardinality, SegmentWriteOutMedium medium);

  abstract ColumnarMultiIntsSerializer multiIds(String column, int cardinality, SegmentWriteOutMedium medium);

  abstract ColumnarLongsSerializer longs(String column, SegmentWriteOutMedium medium);

  abstract ColumnarFloatsSerializer floats(String column, SegmentWriteOutMedium medium);

  abstract ColumnarDoublesSerializer doubles(String column, SegmentWriteOutMedium medium);

  /** Druid's own columns. */
  private static final class Stock extends RowEncoding {
    private final CompressionStrategy idCompression;
    private final CompressionStrategy numberCompression;
    private final LongEncodingStrategy longEncoding;

    /** Of numbers without compression: what Druid calls uncompressed there is blocks all the same. */
    private Stock(CompressionStrategy compression, LongEncodingStrategy longEncoding) {
      this(
          compression,
          compression == CompressionStrategy.UNCOMPRESSED ? CompressionStrategy.NONE : compression,
          longEncoding
      );
    }

    private Stock(
        CompressionStrategy idCompression,
        CompressionStrategy numberCompression,
        LongEncodingStrategy longEncoding
    ) {
      super(DRUID + (longEncoding == LongEncodingStrategy.AUTO ? AUTO : "") + idCompression);
      this.idCompression = idCompression;
      this.numberCompression = numberCompression;
      this.longEncoding = longEncoding;
    }

    @Override
    public boolean supports(RowValues values) {
      return longEncoding == LongEncodingStrategy.LONGS || values instanceof RowValues.Longs;
    }

    @Override
    RowValues.UnderNulls underNulls() {
      return RowValues.UnderNulls.ZERO;
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
      return idCompression != CompressionStrategy.UNCOMPRESSED;
    }

    @Override
    SingleValueColumnarIntsSerializer ids(String column, int cardinality, SegmentWriteOutMedium medium) {
      // Druid's mergers give the cardinality as the largest value, one too many.
      return isCompressed()
             ? CompressedVSizeColumnarIntsSerializer.create(
                 column,
                 medium,
                 column,
                 cardinality,
                 idCompression,
                 medium.getCloser()
             )
             : new VSizeColumnarIntsSerializer(medium, cardinality);
    }

    @Override
    ColumnarMultiIntsSerializer multiIds(String column, int cardinality, SegmentWriteOutMedium medium) {
      return isCompressed()
             ? V3CompressedVSizeColumnarMultiIntsSerializer.create(
                 column,
                 medium,
                 column,
                 cardinality,
                 idCompression,
                 GenericIndexedWriter.MAX_FILE_SIZE
             )
             : new VSizeColumnarMultiIntsSerializer(column, medium, cardinality);
    }

    @Override
    ColumnarLongsSerializer longs(String column, SegmentWriteOutMedium medium) {
      return CompressionFactory.getLongSerializer(
          column,
          medium,
          column,
          IndexIO.BYTE_ORDER,
          longEncoding,
          numberCompression,
          medium.getCloser()
      );
    }

    @Override
    ColumnarFloatsSerializer floats(String column, SegmentWriteOutMedium medium) {
      return CompressionFactory.getFloatSerializer(
          column,
          medium,
          column,
          IndexIO.BYTE_ORDER,
          numberCompression,
          medium.getCloser()
      );
    }

    @Override
    ColumnarDoublesSerializer doubles(String column, SegmentWriteOutMedium medium) {
      return CompressionFactory.getDoubleSerializer(
          column,
          medium,
          column,
          IndexIO.BYTE_ORDER,
          numberCompression,
          medium.getCloser()
      );
    }
  }

  /** The forms that shape-shifting columns choose among. */
  private sealed interface Choice {
    /** Among those of ints; empty if there are none. */
    Optional<FormSelector<IntChunk>> ints();

    /** Among those of numbers; empty if there are none. */
    Optional<FormSelector<NumberChunk>> numbers(NumberType type);
  }

  /** All of them, as in segments. */
  private record AllForms(OptimizationTarget target) implements Choice {
    @Override
    public Optional<FormSelector<IntChunk>> ints() {
      return Optional.of(FormSelector.forInts(target));
    }

    @Override
    public Optional<FormSelector<NumberChunk>> numbers(NumberType type) {
      return Optional.of(FormSelector.forNumbers(type, target));
    }
  }

  /** The one of a name. */
  private record OneForm(String name) implements Choice {
    @Override
    public Optional<FormSelector<IntChunk>> ints() {
      // Those of use to codecs only are none to choose.
      return IntForms.of(IntForm.Use.IDS).stream()
          .filter(form -> form.name().equals(name))
          .map(form -> FormSelector.forInts(List.of(form), OptimizationTarget.SMALLER))
          .findFirst();
    }

    @Override
    public Optional<FormSelector<NumberChunk>> numbers(NumberType type) {
      return NumberForms.of(type).stream()
          .filter(form -> form.name().equals(name))
          .map(form -> FormSelector.forNumbers(List.of(form), OptimizationTarget.SMALLER))
          .findFirst();
    }
  }

  /** Shape-shifting columns. */
  private static final class ShapeShift extends RowEncoding {
    private final Choice choice;
    private final BlockSize blockSize;

    private ShapeShift(OptimizationTarget target, BlockSize blockSize) {
      this(shapeShiftName(target), new AllForms(target), blockSize);
    }

    private ShapeShift(String name, Choice choice, BlockSize blockSize) {
      super(name);
      this.choice = choice;
      this.blockSize = blockSize;
    }

    @Override
    public boolean supports(RowValues values) {
      return values instanceof RowValues.Numbers numbers
             ? choice.numbers(numbers.type()).isPresent()
             : choice.ints().isPresent();
    }

    @Override
    RowValues.UnderNulls underNulls() {
      return RowValues.UnderNulls.REPEATED;
    }

    @Override
    Supplier<? extends Closeable> open(String column, RowValues values, ByteBuffer bytes) {
      bytes.order(IndexIO.BYTE_ORDER);
      if (values instanceof RowValues.Ids) {
        return ShapeShiftingColumnarIntsSupplier.read(column, bytes);
      }
      if (values instanceof RowValues.MultiIds) {
        return ShapeShiftingColumnarMultiIntsSupplier.read(column, bytes);
      }
      if (values instanceof RowValues.Longs) {
        return ShapeShiftingColumnarLongsSupplier.read(column, bytes);
      }
      return values instanceof RowValues.Floats
             ? ShapeShiftingColumnarFloatsSupplier.read(column, bytes)
             : ShapeShiftingColumnarDoublesSupplier.read(column, bytes);
    }

    private FormSelector<IntChunk> ints() {
      return choice.ints().orElseThrow();
    }

    private FormSelector<NumberChunk> numbers(NumberType type) {
      return choice.numbers(type).orElseThrow();
    }

    @Override
    SingleValueColumnarIntsSerializer ids(String column, int cardinality, SegmentWriteOutMedium medium) {
      return new ShapeShiftingColumnarIntsSerializer(column, medium, blockSize, ints(), IndexIO.BYTE_ORDER);
    }

    @Override
    ColumnarMultiIntsSerializer multiIds(String column, int cardinality, SegmentWriteOutMedium medium) {
      return new ShapeShiftingColumnarMultiIntsSerializer(column, medium, blockSize, ints(), IndexIO.BYTE_ORDER);
    }

    @Override
    ColumnarLongsSerializer longs(String column, SegmentWriteOutMedium medium) {
      return new ShapeShiftingColumnarLongsSerializer(
          column,
          medium,
          blockSize,
          numbers(NumberType.LONG),
          IndexIO.BYTE_ORDER
      );
    }

    @Override
    ColumnarFloatsSerializer floats(String column, SegmentWriteOutMedium medium) {
      return new ShapeShiftingColumnarFloatsSerializer(
          column,
          medium,
          blockSize,
          numbers(NumberType.FLOAT),
          IndexIO.BYTE_ORDER
      );
    }

    @Override
    ColumnarDoublesSerializer doubles(String column, SegmentWriteOutMedium medium) {
      return new ShapeShiftingColumnarDoublesSerializer(
          column,
          medium,
          blockSize,
          numbers(NumberType.DOUBLE),
          IndexIO.BYTE_ORDER
      );
    }
  }
}
