// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings.added;

import io.shapeshift.druid.api.ReadCost;
import io.shapeshift.druid.api.TextEncoding;
import io.shapeshift.druid.api.TextModel;
import io.shapeshift.druid.api.TextReader;
import io.shapeshift.druid.api.TextValues;
import io.shapeshift.druid.api.TextWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/** {@link CheckedTexts} of which one method fails, from some moment on. Other methods work. */
public final class FailingTexts implements TextEncoding {
  /** The methods, each named as in the API. */
  public enum Method {
    LEARN, READ_MODEL, TEXTS_PER_BUCKET, READS_WHOLE_BUCKETS, TO_BYTES, MEMORY, WRITER, READER, ENCODE, CLOSE, OPEN,
    READ, TEXT, COMPARE_FIRST, FIND
  }

  private final CheckedTexts texts = new CheckedTexts();
  /** Method that fails; null if none does. */
  @Nullable
  private volatile Method failing;
  /** What it throws or, if it is null, returns nonsense instead. */
  @Nullable
  private volatile Throwable error;
  private int smallBuckets = Integer.MAX_VALUE;

  /** Lets a method fail from now on; null for none. */
  public void fail(@Nullable Method method, @Nullable Throwable with) {
    error = with;
    failing = method;
  }

  /** Lets all buckets take 400 bytes more than they need, once some are encoded. */
  public void swellAfter(int buckets) {
    smallBuckets = buckets;
  }

  private byte[] swollen(byte[] bucket) {
    return smallBuckets-- > 0 ? bucket : Arrays.copyOf(bucket, bucket.length + 400);
  }

  private <T> T call(Method method, T result, T nonsense) {
    if (method != failing) {
      return result;
    }
    if (error == null) {
      return nonsense;
    }
    throw FailingTexts.<RuntimeException>sneaky(error);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E sneaky(Throwable e) throws E {
    throw (E) e;
  }

  @Override
  public String name() {
    return CheckedTexts.NAME;
  }

  @Override
  public ReadCost cost() {
    return ReadCost.NONE;
  }

  @Nullable
  @Override
  public TextModel learn(TextValues values) {
    return new Model(call(Method.LEARN, texts.learn(values), null));
  }

  @Override
  public TextModel read(ByteBuffer model) {
    return call(Method.READ_MODEL, new Model(texts.read(model)), null);
  }

  private final class Model implements TextModel {
    private final TextModel model;

    Model(TextModel model) {
      this.model = model;
    }

    @Override
    public int textsPerBucket() {
      return call(Method.TEXTS_PER_BUCKET, model.textsPerBucket(), 12);
    }

    @Override
    public boolean readsWholeBuckets() {
      return call(Method.READS_WHOLE_BUCKETS, model.readsWholeBuckets(), true);
    }

    @Override
    public byte[] toBytes() {
      return call(Method.TO_BYTES, model.toBytes(), null);
    }

    @Override
    public int memory() {
      return call(Method.MEMORY, model.memory(), -1);
    }

    @Override
    public TextWriter writer() {
      final TextWriter writer = model.writer();
      return call(Method.WRITER, new TextWriter() {
        @Override
        public byte[] encode(byte[][] values) {
          return call(Method.ENCODE, swollen(writer.encode(values)), new byte[] {1, 0, 0, 0});
        }

        @Override
        public void close() {
          call(Method.CLOSE, 0, 0);
        }
      }, null);
    }

    @Override
    public TextReader reader() {
      return call(Method.READER, new Reader(model.reader()), null);
    }
  }

  private final class Reader implements TextReader {
    private final TextReader reader;

    Reader(TextReader reader) {
      this.reader = reader;
    }

    @Override
    public void open(ByteBuffer bucket, int numTexts) {
      call(Method.OPEN, 0, 0);
      reader.open(bucket, numTexts);
    }

    @Override
    public int read(int index) {
      return call(Method.READ, reader.read(index), 1 << 20);
    }

    @Override
    public byte[] text() {
      return call(Method.TEXT, reader.text(), null);
    }

    @Override
    public int compareFirst(byte[] value, int length) {
      return call(Method.COMPARE_FIRST, reader.compareFirst(value, length), 0);
    }

    @Override
    public int find(int numTexts, byte[] value, int length) {
      return call(Method.FIND, reader.find(numTexts, value, length), numTexts);
    }
  }
}
