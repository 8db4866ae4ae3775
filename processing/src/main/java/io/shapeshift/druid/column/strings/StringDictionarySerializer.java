// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import com.google.common.annotations.VisibleForTesting;
import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.EncodingException;
import io.shapeshift.druid.form.strings.BucketWriter;
import io.shapeshift.druid.form.strings.ChainedCoding;
import io.shapeshift.druid.form.strings.FrontCoding;
import io.shapeshift.druid.form.strings.TextCoding;
import io.shapeshift.druid.form.strings.Utf8;
import io.shapeshift.druid.metrics.SegmentPart;
import io.shapeshift.druid.metrics.WrittenSegment;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.segment.data.DictionaryWriter;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Writer of a string column's dictionary. Values are kept in the medium until all are added. They are then read once or
 * twice to choose the coding, and once to three times to encode them. The heap holds a buffer, 4 bytes per bucket, a
 * key of 8 bytes per 64 values, samples of one or two megabytes, and up to a hundred times the longest value while its
 * bucket is encoded. Training for blocks temporarily uses as much native memory as its samples.
 */
public final class StringDictionarySerializer implements DictionaryWriter<String> {
  private static final Logger LOG = new Logger(StringDictionarySerializer.class);
  private static final int MAX_BYTES = Integer.MAX_VALUE;
  /** Bytes of a stock dictionary's header: version, a flag, the size and the number of values. */
  private static final int STOCK_HEAD = 2 * Byte.BYTES + 2 * Integer.BYTES;
  /** Bytes per value in a stock dictionary: an offset and a null marker. */
  private static final int STOCK_BYTES_PER_VALUE = 2 * Integer.BYTES;

  private final String column;
  private final SegmentWriteOutMedium medium;
  private final OptimizationTarget target;
  private final boolean hasTextIndex;
  private final int maxBytes;
  private TextIndexWriter.Limits textIndexLimits = TextIndexWriter.Limits.DEFAULT;
  private TextSpill texts;
  private boolean hasNull;
  private int size;
  /** Complete dictionary; null until its size is requested, and if it is too large. */
  @Nullable
  private Encoded encoded;
  /** Error of the last coding that was tried and was too large. */
  @Nullable
  private ColumnFormatException tooLarge;

  /** Creates a serializer of a dictionary without a text index. */
  public StringDictionarySerializer(String column, SegmentWriteOutMedium medium, OptimizationTarget target) {
    this(column, medium, target, false);
  }

  /**
   * Creates a serializer.
   *
   * @param column name of the column, for messages
   * @param medium keeps values until the dictionary is complete
   * @param target optimization target for the coding
   * @param hasTextIndex whether the dictionary gets a {@link TextIndex} if that helps
   */
  public StringDictionarySerializer(
      String column, SegmentWriteOutMedium medium, OptimizationTarget target, boolean hasTextIndex) {
    this(column, medium, target, hasTextIndex, MAX_BYTES);
  }

  /** Creates a serializer with a size limit in bytes, for tests. */
  @VisibleForTesting
  StringDictionarySerializer(
      String column, SegmentWriteOutMedium medium, OptimizationTarget target, boolean hasTextIndex, int maxBytes) {
    this.column = column;
    this.medium = medium;
    this.target = target;
    this.hasTextIndex = hasTextIndex;
    this.maxBytes = maxBytes;
  }

  /**
   * Returns whether the values strictly ascend as UTF-8, as readers require. Only an unpaired surrogate, which is
   * encoded as a question mark, breaks the order of Java strings.
   */
  @Override
  public boolean isSorted() {
    return texts.ascends();
  }

  /**
   * Writes all values to another dictionary, in order.
   *
   * @param other an open dictionary without values
   */
  public void copyTo(DictionaryWriter<String> other) throws IOException {
    if (hasNull) {
      other.write(null);
    }
    texts.complete();
    try (TextSpill.Buckets buckets = texts.buckets(1)) {
      while (buckets.next()) {
        other.write(new String(buckets.texts()[0], 0, buckets.lengths()[0], StandardCharsets.UTF_8));
      }
    }
  }

  @Override
  public void open() throws IOException {
    texts = new TextSpill(medium.makeWriteOutBytes());
  }

  /**
   * Adds the next value.
   *
   * @param value greater than the previous value in the order of Java strings; null only as the first value
   * @return the id of the value
   */
  @Override
  public int write(@Nullable String value) throws IOException {
    return add(value == null ? null : StringUtils.toUtf8(value));
  }

  /** Adds the next value, like {@link #write}, as UTF-8; the buffer's position does not move. */
  public int writeUtf8(@Nullable ByteBuffer value) throws IOException {
    if (value == null) {
      return add(null);
    }
    final byte[] text = new byte[value.remaining()];
    value.get(value.position(), text);
    return add(text);
  }

  private int add(@Nullable byte[] value) throws IOException {
    if (isComplete()) {
      throw new IllegalStateException("The dictionary of column[" + column + "] was written already");
    }
    if (value != null) {
      texts.add(value);
    } else if (size == 0) {
      hasNull = true;
    } else {
      throw new IllegalArgumentException("Null is no value but the first of column[" + column + "]");
    }
    return size++;
  }

  /** Frees the buffer of texts, because segments may have thousands of such columns. */
  public void allAreAdded() throws IOException {
    texts.complete();
  }

  /** Unsupported: Druid reads values back only for columns with spatial indexes, which have stock dictionaries. */
  @Nullable
  @Override
  public String get(int dictId) {
    throw new UnsupportedOperationException("The dictionary of column[" + column + "] is read when it is complete");
  }

  @Override
  public int getCardinality() {
    return size;
  }

  /** Returns whether there is a coding in which the dictionary has at most {@code most} bytes. */
  public boolean fitsInto(long most) throws IOException {
    complete();
    if (encoded != null && encoded.textIndex != null && encoded.header.totalSize() > most) {
      dropTextIndex();
    }
    return encoded != null && encoded.header.totalSize() <= most;
  }

  /**
   * {@inheritDoc}
   *
   * @throws ColumnFormatException if the dictionary is larger than one file can be
   */
  @Override
  public long getSerializedSize() throws IOException {
    return encoded().header.totalSize();
  }

  @Override
  public void writeTo(WritableByteChannel channel, @Nullable SegmentFileBuilder fileBuilder) throws IOException {
    final Encoded all = encoded();
    writeTo(channel, all);
    final String coding = all.header.coding().name();
    final int textIndexBytes = all.header.textIndexBytes();
    WrittenSegment.addPart(
        SegmentPart.DICTIONARIES, all.header.totalSize() - textIndexBytes, coding, stockBytes());
    if (textIndexBytes > 0) {
      WrittenSegment.addPart(SegmentPart.TEXT_INDEXES, textIndexBytes, "trigrams", WrittenSegment.UNKNOWN);
    }
  }

  private Encoded encoded() throws IOException {
    complete();
    if (encoded == null) {
      throw tooLarge;
    }
    return encoded;
  }

  private boolean isComplete() {
    return encoded != null || tooLarge != null;
  }

  /** Returns the exact size of the stock dictionary without front coding (GenericIndexed), in bytes. */
  public long stockBytes() {
    return STOCK_HEAD + (long) STOCK_BYTES_PER_VALUE * size + texts.numBytes();
  }

  private static void writeTo(WritableByteChannel channel, Encoded encoded) throws IOException {
    Channels.writeFully(channel, encoded.header.toBytes());
    final ByteBuffer keys =
        ByteBuffer.allocate(Long.BYTES * encoded.keys.size()).order(ByteOrder.LITTLE_ENDIAN);
    encoded.keys.forEach(keys::putLong);
    Channels.writeFully(channel, keys.flip());
    if (encoded.separators != null) {
      writeTo(channel, encoded.separators);
    }
    final ByteBuffer offsets =
        ByteBuffer.allocate(Math.toIntExact(encoded.header.offsetBytes())).order(ByteOrder.LITTLE_ENDIAN);
    BitStream.pack(encoded.offsets.elements(), encoded.offsets.size(), 0, encoded.header.offsetWidth(), offsets);
    Channels.writeFully(channel, offsets.flip());
    encoded.data.writeTo(channel);
    Channels.writeFully(channel, ByteBuffer.allocate(StringDictionaryHeader.SLACK));
    if (encoded.textIndex != null) {
      encoded.textIndex.writeTo(channel);
    }
  }

  private void complete() throws IOException {
    if (isComplete()) {
      return;
    }
    texts.complete();
    try {
      for (CodingChoice choice = CodingChoice.of(texts, target);
           encoded == null && choice != null;
           choice = choice.otherwise()) {
        encoded = encodeIfSmallEnough(choice);
      }
      addTextIndex();
    } catch (ArithmeticException e) {
      tooLarge = tooLongTexts();
    } catch (EncodingException e) {
      throw new EncodingException("Column[" + column + "]: " + e.getMessage(), e);
    }
  }

  /** Encodes the texts; returns null if the result is too large, for the choice or for a file. */
  @Nullable
  private Encoded encodeIfSmallEnough(CodingChoice choice) throws IOException {
    try {
      final Encoded attempt = encode(texts, hasNull, choice.coding());
      return choice.isSmallEnough(attempt.header.totalSize()) ? attempt : null;
    } catch (ColumnFormatException e) {
      tooLarge = e;
    } catch (ArithmeticException e) {
      tooLarge = tooLongTexts();
    }
    return null;
  }

  private ColumnFormatException tooLongTexts() {
    return ColumnFormatException.tooLarge(column, "neighbouring texts that do not fit into one array");
  }

  /** Encodes the texts in a given coding, whatever its weight. */
  @VisibleForTesting
  void complete(TextCoding coding) throws IOException {
    texts.complete();
    encoded = encode(texts, hasNull, coding);
    addTextIndex();
  }

  /** Sets limits of the text index, for tests. */
  @VisibleForTesting
  void limitTextIndex(TextIndexWriter.Limits limits) {
    textIndexLimits = limits;
  }

  private void addTextIndex() throws IOException {
    if (!hasTextIndex || encoded == null) {
      return;
    }
    try {
      @Nullable final TextIndexWriter index =
          TextIndexWriter.build(column, medium, texts, textIndexLimits);
      if (index != null) {
        encoded = encoded.with(index);
        fitsInto(maxBytes);
      }
    } catch (ArithmeticException e) {
      // Sizes of the index do not fit into an int.
      dropTextIndex();
    }
  }

  /** Removes the text index. */
  private void dropTextIndex() throws IOException {
    LOG.warn("Column[%s] gets no text index: its dictionary would not fit into one file with it", column);
    encoded = encoded.with(null);
  }

  /** Encoded parts of a dictionary, except the header's bytes. */
  private record Encoded(
      StringDictionaryHeader header,
      LongArrayList keys,
      @Nullable Encoded separators,
      IntArrayList offsets,
      WriteOutBytes data,
      @Nullable TextIndexWriter textIndex
  ) {
    private Encoded with(@Nullable TextIndexWriter index) throws IOException {
      final int bytes = index == null ? 0 : Math.toIntExact(index.sizeInBytes());
      return new Encoded(header.withTextIndex(bytes), keys, separators, offsets, data, index);
    }
  }

  private Encoded encode(TextSpill texts, boolean hasNull, TextCoding coding) throws IOException {
    final LongArrayList keys = new LongArrayList();
    final IntArrayList offsets = new IntArrayList();
    final WriteOutBytes data = medium.makeWriteOutBytes();
    @Nullable final Separators separators = coding.hasSeparators() ? new Separators(medium) : null;
    final int commonPrefix = texts.commonPrefix();
    int largestBucket = 0;
    try (TextSpill.Buckets buckets = texts.buckets(1 << coding.logSize());
         BucketWriter writer = coding.writer()) {
      for (int first = 0; buckets.next(); first += buckets.count()) {
        if (coding.hasKeys() && first % StringDictionaryHeader.TEXTS_PER_KEY == 0) {
          keys.add(Utf8.key(buckets.texts()[0], commonPrefix, buckets.lengths()[0]));
        }
        if (separators != null) {
          separators.add(buckets);
        }
        if (coding.hasOffsets()) {
          offsets.add((int) data.size());
        }
        final int length = writer.encode(buckets.texts(), buckets.lengths(), buckets.count());
        if (data.size() + length > maxBytes) {
          throw ColumnFormatException.tooLarge(column, "a dictionary of more than " + maxBytes + " bytes");
        }
        data.write(writer.bytes(), 0, length);
        largestBucket = Math.max(largestBucket, length);
      }
    }
    @Nullable final Encoded between = separators == null ? null : encode(separators.complete());
    final StringDictionaryHeader header = new StringDictionaryHeader(
        coding,
        hasNull,
        texts.size(),
        (int) data.size(),
        largestBucket,
        commonPrefix,
        between == null ? 0 : Math.toIntExact(between.header.totalSize()),
        0
    );
    if (header.totalSize() > maxBytes) {
      throw ColumnFormatException.tooLarge(column, "a dictionary of " + header.totalSize() + " bytes");
    }
    return new Encoded(header, keys, between, offsets, data, null);
  }

  /** Encodes separators, with long ones in chains: they share much with their neighbours. */
  private Encoded encode(TextSpill separators) throws IOException {
    final boolean areLong = separators.numBytes() > (long) CostModel.Texts.LONG_SEPARATOR * separators.size();
    return encode(separators, false, areLong ? ChainedCoding.INSTANCE : FrontCoding.PLAIN);
  }

  /** Collects separators. */
  private static final class Separators {
    private final TextSpill texts;
    private final SeparatorFinder finder = new SeparatorFinder();
    private boolean isFirst = true;

    private Separators(SegmentWriteOutMedium medium) throws IOException {
      this.texts = new TextSpill(medium.makeWriteOutBytes());
    }

    private void add(TextSpill.Buckets buckets) throws IOException {
      final int length = finder.next(buckets);
      if (!isFirst) {
        texts.add(Arrays.copyOf(buckets.texts()[0], length));
      }
      isFirst = false;
    }

    private TextSpill complete() throws IOException {
      texts.complete();
      return texts;
    }
  }
}
