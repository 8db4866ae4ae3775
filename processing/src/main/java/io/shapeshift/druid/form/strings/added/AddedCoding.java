// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings.added;

import com.google.common.base.Preconditions;
import io.shapeshift.druid.api.DamagedChunkException;
import io.shapeshift.druid.api.TextEncoding;
import io.shapeshift.druid.api.TextModel;
import io.shapeshift.druid.api.TextReader;
import io.shapeshift.druid.api.TextValues;
import io.shapeshift.druid.api.TextWriter;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.AddedForm;
import io.shapeshift.druid.form.AddedNames;
import io.shapeshift.druid.form.EncodingException;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.strings.BucketReader;
import io.shapeshift.druid.form.strings.BucketWriter;
import io.shapeshift.druid.form.strings.TextCoding;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.VByte;

/**
 * Encoding of texts of another jar as a coding. The name is beside the model, so that the header of a dictionary can be
 * read without the jar. The model is read when the first reader is created.
 *
 * <pre>
 * | bytes      | content                                                                              |
 * |------------|--------------------------------------------------------------------------------------|
 * | 1          | length of the encoding's name, 1 to 60                                               |
 * | any        | the name in ASCII                                                                    |
 * | 1          | log2 of the number of texts in each bucket except the last, 0 to 6; plus 128 if the  |
 * |            | dictionary has separators                                                            |
 * | 1 to 5     | modelBytes: bytes of the model (VByte)                                               |
 * | modelBytes | the model, as the encoding has it                                                    |
 * </pre>
 * A dictionary without separators has keys. The bytes {@code 0a 61 63 6d 65 2e 74 72 69 65 73 04 81 2a} name the
 * encoding {@code acme.tries}, with buckets of 16 texts and a model of the byte 0x2a.
 */
public final class AddedCoding implements TextCoding {
  /** The id of all encodings of other jars. */
  public static final byte ID = AddedNames.FIRST_ID;

  private static final int SEPARATORS = 0x80;
  private static final int MAX_LOG_SIZE = Integer.numberOfTrailingZeros(TextModel.MAX_TEXTS_PER_BUCKET);

  private final String name;
  /** The encoding; null if it is not installed. */
  @Nullable
  private final AddedTexts added;
  private final int logSize;
  private final boolean hasSeparators;
  private final ByteBuffer stored;
  /** The model that was learnt; null if the coding is of a segment. */
  @Nullable
  private final TextModel learnt;
  /** The model that was read; null before the first read. */
  @Nullable
  private volatile TextModel model;

  private AddedCoding(
      String name,
      @Nullable AddedTexts added,
      int logSize,
      boolean hasSeparators,
      ByteBuffer stored,
      @Nullable TextModel learnt
  ) {
    this.name = name;
    this.added = added;
    this.logSize = logSize;
    this.hasSeparators = hasSeparators;
    this.stored = stored;
    this.learnt = learnt;
  }

  /**
   * Returns the coding that an encoding makes of texts; null if it makes none.
   *
   * @throws EncodingException if the encoding fails
   */
  @Nullable
  public static AddedCoding learn(AddedTexts added, TextValues texts) {
    final String name = added.name();
    try {
      @Nullable final TextModel model = added.encoding().learn(texts);
      if (model == null) {
        return null;
      }
      final int size = model.textsPerBucket();
      if (Integer.bitCount(size) != 1 || size < 0 || size > TextModel.MAX_TEXTS_PER_BUCKET) {
        throw new IllegalStateException("it puts " + size + " texts into a bucket, expected a power of two up to "
            + TextModel.MAX_TEXTS_PER_BUCKET);
      }
      return new AddedCoding(
          name,
          added,
          Integer.numberOfTrailingZeros(size),
          model.readsWholeBuckets(),
          ByteBuffer.wrap(AddedForm.required(model.toBytes(), "toBytes").clone()),
          model
      );
    } catch (UncheckedIOException e) {
      // The texts cannot be read, which is no fault of the encoding.
      throw e;
    } catch (Throwable e) {
      throw AddedForm.notWritten(name, "to learn", texts.size(), e);
    }
  }

  /**
   * Reads the name and where the model is, and advances the buffer past it. The coding keeps a reference to the bytes.
   *
   * @param installed returns an encoding by its name; null if it is not installed
   * @throws MalformedChunkException if a field is out of its range, or the buffer ends within the model
   * @throws java.nio.BufferUnderflowException if the buffer ends before the model
   */
  public static AddedCoding read(ByteBuffer in, Function<String, AddedTexts> installed) {
    final byte[] name = new byte[in.get() & 0xFF];
    in.get(name);
    final String text = new String(name, StandardCharsets.US_ASCII);
    if (!AddedNames.isValid(text)) {
      throw new MalformedChunkException("the encoding that has id " + ID + " has no valid name");
    }
    final int flags = in.get() & 0xFF;
    final int logSize = flags & ~SEPARATORS;
    final int size = VByte.readInt(in);
    if (logSize > MAX_LOG_SIZE || size < 0 || size > in.remaining()) {
      throw new MalformedChunkException("Encoding[" + text + "] has buckets of 1 << " + logSize + " texts and a model"
          + " of " + size + " bytes, expected at most 1 << " + MAX_LOG_SIZE + " and " + in.remaining());
    }
    final ByteBuffer stored = in.slice(in.position(), size);
    in.position(in.position() + size);
    return new AddedCoding(text, installed.apply(text), logSize, (flags & SEPARATORS) != 0, stored, null);
  }

  /** Returns whether the encoding is installed. Without it, texts are neither written nor read. */
  public boolean isInstalled() {
    return added != null;
  }

  private TextModel model() {
    @Nullable TextModel read = model;
    if (read == null) {
      read = AddedForm.required(
          encoding().read(stored.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN)), "read");
      if (read.textsPerBucket() != 1 << logSize) {
        throw new DamagedChunkException(
            "its model has " + read.textsPerBucket() + " texts in a bucket, the dictionary " + (1 << logSize));
      }
      model = read;
    }
    return read;
  }

  private TextEncoding encoding() {
    return Preconditions.checkNotNull(added, "Encoding[%s] is not installed", name).encoding();
  }

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public DecodeCost cost() {
    return added.cost();
  }

  @Override
  public int logSize() {
    return logSize;
  }

  @Override
  public boolean hasKeys() {
    return !hasSeparators;
  }

  @Override
  public boolean hasSeparators() {
    return hasSeparators;
  }

  @Override
  public int sizeInBytes() {
    return 2 + name.length() + VByte.computeIntSize(stored.limit()) + stored.limit();
  }

  @Override
  public int memory() {
    try {
      return Math.max(0, model().memory());
    } catch (Throwable e) {
      throw AddedForm.notRead(name, e);
    }
  }

  @Override
  public void write(ByteBuffer out) {
    out.put((byte) name.length()).put(name.getBytes(StandardCharsets.US_ASCII));
    out.put((byte) (logSize | (hasSeparators ? SEPARATORS : 0)));
    VByte.writeInt(out, stored.limit());
    out.put(stored.duplicate());
  }

  private TextReader newReader() {
    return AddedForm.required(model().reader(), "reader");
  }

  /**
   * Creates a writer.
   *
   * @throws EncodingException if the encoding fails
   */
  @Override
  public BucketWriter writer() {
    try {
      final TextWriter writer = AddedForm.required((learnt == null ? model() : learnt).writer(), "writer");
      return new AddedBucketWriter(name, writer, newReader());
    } catch (Throwable e) {
      throw AddedForm.notWritten(name, "to make a writer of", 1 << logSize, e);
    }
  }

  /**
   * Creates a reader.
   *
   * @throws MalformedChunkException if the encoding fails
   */
  @Override
  public BucketReader reader(ByteBuffer buffer) {
    try {
      return new AddedBucketReader(name, buffer, newReader());
    } catch (Throwable e) {
      throw AddedForm.notRead(name, e);
    }
  }
}
