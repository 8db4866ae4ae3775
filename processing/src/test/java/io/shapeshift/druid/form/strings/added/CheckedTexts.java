// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings.added;

import io.shapeshift.druid.api.DamagedChunkException;
import io.shapeshift.druid.api.ReadCost;
import io.shapeshift.druid.api.TextEncoding;
import io.shapeshift.druid.api.TextModel;
import io.shapeshift.druid.api.TextReader;
import io.shapeshift.druid.api.TextValues;
import io.shapeshift.druid.api.TextWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.apache.druid.java.util.common.StringUtils;

/**
 * Texts without the checksum with which each of them ends. The model is a byte: 1 if all texts of the dictionary have a
 * checksum, else 0. A bucket has for each text its length without checksum, in a byte, or in three after the byte 255,
 * and then its bytes.
 */
public final class CheckedTexts implements TextEncoding {
  public static final String NAME = "test.checked";

  private static final int CHECKSUM = 8;
  private static final int LONG = 255;

  /** Returns a text with its checksum. */
  public static String withChecksum(String text) {
    final byte[] bytes = StringUtils.toUtf8(text);
    return text + new String(checksum(bytes, bytes.length), StandardCharsets.UTF_8);
  }

  private static byte[] checksum(byte[] text, int length) {
    final CRC32 sum = new CRC32();
    sum.update(text, 0, length);
    return StringUtils.toUtf8(StringUtils.format("%08x", sum.getValue()));
  }

  private static boolean isChecked(byte[] text) {
    final int length = text.length - CHECKSUM;
    return length >= 0 && Arrays.equals(text, length, text.length, checksum(text, length), 0, CHECKSUM);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ReadCost cost() {
    return ReadCost.NONE;
  }

  @Override
  public TextModel learn(TextValues texts) {
    final boolean[] areChecked = {true};
    texts.forEach(text -> areChecked[0] &= isChecked(text));
    return new Checks(areChecked[0]);
  }

  @Override
  public TextModel read(ByteBuffer model) {
    if (model.remaining() != 1 || model.get(0) < 0 || model.get(0) > 1) {
      throw new DamagedChunkException("its model is none");
    }
    return new Checks(model.get(0) == 1);
  }

  private record Checks(boolean areChecked) implements TextModel {
    @Override
    public int textsPerBucket() {
      return 16;
    }

    @Override
    public byte[] toBytes() {
      return new byte[] {(byte) (areChecked ? 1 : 0)};
    }

    @Override
    public int memory() {
      return 1;
    }

    @Override
    public TextWriter writer() {
      return this::encode;
    }

    private byte[] encode(byte[][] texts) {
      final ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (byte[] text : texts) {
        final int length = text.length - (areChecked ? CHECKSUM : 0);
        if (length >= LONG) {
          out.write(LONG);
          out.write(length >>> 16);
          out.write(length >>> 8);
        }
        out.write(length);
        out.write(text, 0, length);
      }
      return out.toByteArray();
    }

    @Override
    public TextReader reader() {
      return new Reader(areChecked);
    }
  }

  private static final class Reader implements TextReader {
    private final boolean areChecked;
    private ByteBuffer bucket;
    private byte[] text = new byte[16];

    Reader(boolean areChecked) {
      this.areChecked = areChecked;
    }

    @Override
    public void open(ByteBuffer newBucket, int numTexts) {
      bucket = newBucket;
    }

    @Override
    public int read(int index) {
      int at = 0;
      for (int i = 0; i < index; i++) {
        at += lengthBytes(at) + length(at);
      }
      final int length = length(at);
      if (length > bucket.limit()) {
        throw new DamagedChunkException("text " + index + " has " + length + " bytes");
      }
      if (text.length < length + CHECKSUM) {
        text = new byte[length + CHECKSUM];
      }
      bucket.get(at + lengthBytes(at), text, 0, length);
      if (areChecked) {
        System.arraycopy(checksum(text, length), 0, text, length, CHECKSUM);
      }
      return length + (areChecked ? CHECKSUM : 0);
    }

    private int length(int at) {
      return lengthBytes(at) == 1 ? bucket.get(at) & 0xFF : Integer.reverseBytes(bucket.getInt(at)) & 0xFFFFFF;
    }

    private int lengthBytes(int at) {
      return (bucket.get(at) & 0xFF) == LONG ? 4 : 1;
    }

    @Override
    public byte[] text() {
      return text;
    }
  }
}
