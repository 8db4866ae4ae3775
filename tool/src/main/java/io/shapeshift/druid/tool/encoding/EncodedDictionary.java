// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.strings.StringDictionary;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.column.StringEncodingStrategy;
import org.apache.druid.segment.data.EncodedStringDictionaryWriter;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.serde.Serializer;

/**
 * The distinct values of a column of strings in one encoding.
 */
public final class EncodedDictionary implements Closeable {
  private final EncodedBytes bytes;
  private final String encoding;
  private final Supplier<? extends Indexed<ByteBuffer>> values;

  private EncodedDictionary(
      EncodedBytes bytes,
      String encoding,
      Supplier<? extends Indexed<ByteBuffer>> values
  ) {
    this.bytes = bytes;
    this.encoding = encoding;
    this.values = values;
  }

  /** Writes what a serializer has. */
  static EncodedDictionary write(String column, boolean isShapeShifting, Serializer serializer) throws IOException {
    final EncodedBytes bytes = EncodedBytes.of(column, serializer);
    if (!isShapeShifting) {
      return new EncodedDictionary(
          bytes,
          nameOf(bytes.buffer()),
          StringEncodingStrategies.getStringDictionarySupplier(null, bytes.buffer(), IndexIO.BYTE_ORDER)
      );
    }
    final StringDictionary dictionary = StringDictionary.read(column, bytes.buffer());
    return new EncodedDictionary(bytes, nameOf(dictionary), dictionary);
  }

  /** How a dictionary of Druid's says that it is stored. */
  public static String nameOf(ByteBuffer stock) {
    // Where this version is not, it is the one of plain texts.
    return stock.get(stock.position()) == EncodedStringDictionaryWriter.VERSION
           && stock.get(stock.position() + 1) == StringEncodingStrategy.FRONT_CODED_ID
           ? StringEncodingStrategy.FRONT_CODED
           : StringEncodingStrategy.UTF8;
  }

  /** How one of ours says that it is stored. */
  public static String nameOf(StringDictionary dictionary) {
    return RowEncodings.SHAPE_SHIFTING + " " + dictionary.coding().label();
  }

  /** How it is stored: {@code utf8}, {@code frontCoded}, or {@code shapeshift} and the coding of texts. */
  public String encoding() {
    return encoding;
  }

  /** Its bytes. */
  public ByteBuffer bytes() {
    return bytes.buffer();
  }

  /** Their number. */
  public int sizeInBytes() {
    return bytes.size();
  }

  /** Opens it as a segment's reader does, for one thread. */
  public Supplier<? extends Indexed<ByteBuffer>> values() {
    return values;
  }

  @Override
  public void close() {
    bytes.close();
  }
}
