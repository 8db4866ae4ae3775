// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.strings.StringDictionary;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.column.StringEncodingStrategy;
import org.apache.druid.segment.data.EncodedStringDictionaryWriter;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.serde.Serializer;

/** Distinct values of a string column in one encoding. */
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

  /** Writes the output of a serializer. */
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

  /** Name of a stock dictionary's encoding, from its bytes. */
  public static String nameOf(ByteBuffer stock) {
    // Without this version, the dictionary has plain texts.
    return stock.get(stock.position()) == EncodedStringDictionaryWriter.VERSION
           && stock.get(stock.position() + 1) == StringEncodingStrategy.FRONT_CODED_ID
           ? StringEncodingStrategy.FRONT_CODED
           : StringEncodingStrategy.UTF8;
  }

  /** Name of a shape-shifting dictionary's encoding. */
  public static String nameOf(StringDictionary dictionary) {
    return RowEncodings.SHAPE_SHIFTING + " " + dictionary.coding().name();
  }

  /** Name of the encoding: {@code utf8}, {@code frontCoded}, or {@code shapeshift} and the coding of texts. */
  public String encoding() {
    return encoding;
  }

  /** Coding of the texts; null if the dictionary is stock. */
  @Nullable
  public String coding() {
    return values instanceof StringDictionary ours ? ours.coding().name() : null;
  }

  /** Encoded bytes. */
  public ByteBuffer bytes() {
    return bytes.buffer();
  }

  /** Number of encoded bytes. */
  public int sizeInBytes() {
    return bytes.size();
  }

  /** Opens the values as a segment does, for one thread. */
  public Supplier<? extends Indexed<ByteBuffer>> values() {
    return values;
  }

  @Override
  public void close() {
    bytes.close();
  }
}
