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
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Buckets of 64 texts under DEFLATE, with a sample of the texts as the model. A bucket's size is before it. */
public final class DeflatedTexts implements TextEncoding {
  public static final String NAME = "test.deflated";

  private static final int MOST_BYTES = 1 << 24;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ReadCost cost() {
    return ReadCost.of(1, 1, ReadCost.NEVER);
  }

  @Override
  public TextModel learn(TextValues texts) {
    final ByteArrayOutputStream sample = new ByteArrayOutputStream();
    texts.sample(1, 1 << 12, group -> sample.write(group[0], 0, Math.min(1 << 8, group[0].length)));
    return new Sample(sample.toByteArray());
  }

  @Override
  public TextModel read(ByteBuffer model) {
    final byte[] sample = new byte[model.remaining()];
    model.get(sample);
    return new Sample(sample);
  }

  private record Sample(byte[] bytes) implements TextModel {
    @Override
    public int textsPerBucket() {
      return MAX_TEXTS_PER_BUCKET;
    }

    @Override
    public boolean readsWholeBuckets() {
      return true;
    }

    @Override
    public byte[] toBytes() {
      return bytes;
    }

    @Override
    public int memory() {
      return bytes.length;
    }

    @Override
    public TextWriter writer() {
      return new Writer(bytes);
    }

    @Override
    public TextReader reader() {
      return new Reader(bytes);
    }
  }

  private static final class Writer implements TextWriter {
    private final Deflater deflater = new Deflater(9, true);
    private final byte[] sample;

    Writer(byte[] sample) {
      this.sample = sample;
    }

    @Override
    public byte[] encode(byte[][] texts) {
      int size = 0;
      for (byte[] text : texts) {
        size += Integer.BYTES + text.length;
      }
      final ByteBuffer plain = ByteBuffer.allocate(size);
      for (byte[] text : texts) {
        plain.putInt(text.length).put(text);
      }
      deflater.reset();
      deflater.setDictionary(sample);
      deflater.setInput(plain.flip());
      deflater.finish();
      final ByteBuffer out = ByteBuffer.allocate(100 + 2 * size).putInt(size);
      deflater.deflate(out);
      return Arrays.copyOf(out.array(), out.position());
    }

    @Override
    public void close() {
      deflater.end();
    }
  }

  private static final class Reader implements TextReader {
    private final byte[] sample;
    private ByteBuffer plain = ByteBuffer.allocate(0);
    private byte[] text = new byte[16];

    Reader(byte[] sample) {
      this.sample = sample;
    }

    @Override
    public void open(ByteBuffer bucket, int numTexts) {
      final int size = Integer.reverseBytes(bucket.getInt());
      if (size < 0 || size > MOST_BYTES) {
        throw new DamagedChunkException("a bucket is said to have " + size + " bytes");
      }
      final Inflater inflater = new Inflater(true);
      try {
        inflater.setDictionary(sample);
        inflater.setInput(bucket);
        plain = ByteBuffer.allocate(size);
        inflater.inflate(plain);
      } catch (DataFormatException e) {
        throw new DamagedChunkException("a bucket does not inflate: " + e.getMessage(), e);
      } finally {
        inflater.end();
      }
    }

    @Override
    public int read(int index) {
      int at = 0;
      for (int i = 0; i < index; i++) {
        at += Integer.BYTES + plain.getInt(at);
      }
      final int length = plain.getInt(at);
      if (length > plain.limit()) {
        throw new DamagedChunkException("text " + index + " has " + length + " bytes");
      }
      if (text.length < length) {
        text = new byte[length];
      }
      plain.get(at + Integer.BYTES, text, 0, length);
      return length;
    }

    @Override
    public byte[] text() {
      return text;
    }
  }
}
