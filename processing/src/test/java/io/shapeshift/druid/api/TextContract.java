// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

import static io.shapeshift.druid.api.EncodingContract.require;

import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.strings.BucketReader;
import io.shapeshift.druid.form.strings.BucketWriter;
import io.shapeshift.druid.form.strings.added.AddedCoding;
import io.shapeshift.druid.form.strings.added.AddedTexts;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/** Contract of encodings of texts: see {@link EncodingContract}. */
final class TextContract {
  private static final int DAMAGES = 40;
  /** Bytes that the reader must not take for those of a bucket. */
  private static final int PADDING = 5;

  private final AddedTexts encoding;
  private final List<byte[]> texts;
  private final String what;

  private TextContract(TextEncoding encoding, List<byte[]> texts) {
    this.encoding = AddedTexts.of(encoding);
    this.texts = texts;
    this.what = encoding.name() + " of " + texts.size() + " texts from \"" + start(texts.get(0)) + "\" on";
  }

  private static String start(byte[] text) {
    return new String(text, 0, Math.min(20, text.length), StandardCharsets.UTF_8);
  }

  static void check(TextEncoding encoding, String[]... samples) {
    final EncodingContract.Tally tally = new EncodingContract.Tally(encoding.name(), List.of(samples));
    for (String[] sample : samples) {
      tally.add(sample, new TextContract(encoding, sorted(Stream.of(sample))).isStored());
    }
    for (List<byte[]> texts : others()) {
      tally.add(texts, new TextContract(encoding, texts).isStored());
    }
    System.out.println(tally.summary());
  }

  /** Checks the encoding, unless it does not store these texts. */
  private boolean isStored() {
    @Nullable final AddedCoding learnt = AddedCoding.learn(encoding, new Values());
    if (learnt == null) {
      return false;
    }
    final byte[] model = model(learnt);
    require(Arrays.equals(model, model(AddedCoding.learn(encoding, new Values()))),
        what + ": the model differs from call to call");
    final AddedCoding read = read(ByteBuffer.wrap(model));
    require(read.memory() >= 0, what + ": the memory of the model is negative");
    final byte[][] buckets = encode(learnt);
    require(Arrays.deepEquals(buckets, encode(learnt)), what + ": the bytes of buckets differ from call to call");
    readAll(read, buckets);
    damage(model, buckets);
    return true;
  }

  private static byte[] model(AddedCoding coding) {
    final ByteBuffer out = ByteBuffer.allocate(coding.sizeInBytes());
    coding.write(out);
    return out.array();
  }

  private AddedCoding read(ByteBuffer model) {
    return AddedCoding.read(model, name -> encoding);
  }

  /** Encodes all buckets. The writer reads back what it wrote. */
  private byte[][] encode(AddedCoding coding) {
    final List<byte[]> buckets = new ArrayList<>();
    final int size = 1 << coding.logSize();
    try (BucketWriter writer = coding.writer()) {
      for (int first = 0; first < texts.size(); first += size) {
        final byte[][] bucket = texts.subList(first, Math.min(texts.size(), first + size)).toArray(byte[][]::new);
        final int[] lengths = Arrays.stream(bucket).mapToInt(text -> text.length).toArray();
        final int length = writer.encode(bucket, lengths, bucket.length);
        buckets.add(Arrays.copyOf(writer.bytes(), length));
      }
    }
    return buckets.toArray(byte[][]::new);
  }

  private void readAll(AddedCoding coding, byte[][] buckets) {
    final ByteBuffer buffer = buffer(buckets);
    final int size = 1 << coding.logSize();
    final BucketReader inOrder = coding.reader(buffer);
    final BucketReader backwards = coding.reader(buffer);
    final BucketReader finding = coding.reader(buffer);
    for (int i = 0; i < texts.size(); i++) {
      requireText(inOrder, buckets, size, i);
      requireText(backwards, buckets, size, texts.size() - 1 - i);
      requireFound(finding, buckets, size, texts.size() / 2 + (i % 2 == 0 ? i / 2 : -i / 2 - 1));
    }
  }

  private static ByteBuffer buffer(byte[][] buckets) {
    final ByteBuffer buffer =
        ByteBuffer.allocateDirect(2 * PADDING + Arrays.stream(buckets).mapToInt(bucket -> bucket.length).sum());
    buffer.position(PADDING);
    for (byte[] bucket : buckets) {
      buffer.put(bucket);
    }
    return buffer.clear().order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int from(byte[][] buckets, int bucket) {
    return PADDING + IntStream.range(0, bucket).map(i -> buckets[i].length).sum();
  }

  private void requireText(BucketReader reader, byte[][] buckets, int size, int text) {
    final int from = from(buckets, text / size);
    final int count = Math.min(size, texts.size() - text / size * size);
    final int length = reader.read(from, from + buckets[text / size].length, count, text % size);
    require(
        Arrays.equals(texts.get(text), Arrays.copyOf(reader.text(), length)),
        what + ": it reads another text " + text
    );
  }

  /** Searches for a text, and for values before and after it. */
  private void requireFound(BucketReader reader, byte[][] buckets, int size, int text) {
    final int bucket = text / size;
    final int from = from(buckets, bucket);
    final int to = from + buckets[bucket].length;
    final List<byte[]> all = texts.subList(bucket * size, Math.min(texts.size(), bucket * size + size));
    final byte[] value = texts.get(text);
    for (byte[] each : List.of(value, Arrays.copyOf(value, value.length + 1), Arrays.copyOf(value, value.length / 2),
        new byte[0], new byte[] {(byte) 0xEF, (byte) 0xBF, (byte) 0xBF})) {
      int expected = 0;
      while (expected < all.size() && compare(all.get(expected), each) < 0) {
        expected++;
      }
      expected = expected < all.size() && compare(all.get(expected), each) == 0 ? expected : -expected - 1;
      final byte[] padded = Arrays.copyOf(each, each.length + Long.BYTES);
      final int found = reader.find(from, to, all.size(), padded, each.length);
      require(found == expected,
          what + ": find returns " + found + " for \"" + start(each) + "\", expected " + expected);
      final int head = reader.compareHead(from, to, all.size(), padded, each.length);
      require(Integer.signum(head) == Integer.signum(compare(all.get(0), each)),
          what + ": compareFirst returns " + head + " for \"" + start(each) + "\"");
      require(
          Arrays.equals(padded, Arrays.copyOf(each, padded.length)),
          what + ": it changes a value that it looks for"
      );
    }
  }

  private static int compare(byte[] left, byte[] right) {
    return TextReader.compare(left, left.length, right, right.length);
  }

  /** Reads models and buckets that are cut off, have more bytes, or are changed. */
  private void damage(byte[] model, byte[][] buckets) {
    final Random random = new Random(model.length);
    for (int i = 0; i < DAMAGES; i++) {
      final byte[] bucket = buckets[random.nextInt(buckets.length)];
      final boolean isModel = i % 2 == 0;
      final byte[] head = isModel ? damaged(model, random) : model;
      final byte[] body = isModel ? bucket : damaged(bucket, random);
      try {
        final AddedCoding coding = read(ByteBuffer.wrap(head));
        final BucketReader reader = coding.reader(ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN));
        final int count = 1 << coding.logSize();
        for (int index = 0; index < count; index++) {
          reader.read(0, body.length, count, index);
        }
        reader.find(0, body.length, count, new byte[Long.BYTES], 0);
      } catch (MalformedChunkException | BufferUnderflowException expected) {
        // As it should be.
      }
    }
  }

  private static byte[] damaged(byte[] bytes, Random random) {
    if (bytes.length == 0 || random.nextInt(4) == 0) {
      return Arrays.copyOf(bytes, random.nextInt(bytes.length + 3));
    }
    final byte[] damaged = bytes.clone();
    // Most faults of readers are in what the first bytes say.
    damaged[random.nextInt(random.nextBoolean() ? bytes.length : Math.min(24, bytes.length))] = (byte) random.nextInt();
    return damaged;
  }

  private static List<byte[]> sorted(Stream<String> texts) {
    final TreeSet<byte[]> sorted = new TreeSet<>(TextContract::compare);
    texts.forEach(text -> sorted.add(text.getBytes(StandardCharsets.UTF_8)));
    return List.copyOf(sorted);
  }

  private static List<List<byte[]>> others() {
    final List<List<byte[]>> all = new ArrayList<>();
    final Random random = new Random(1);
    all.add(sorted(Stream.of("")));
    all.add(sorted(Stream.of("a")));
    all.add(sorted(Stream.of("", "a", "ab", "abc", "b")));
    all.add(sorted(Stream.of("e", "\u00E9", "\u76EE", "\uD83D\uDE00", "\uE000", "\uFFFD", "\0", "\0\0", "\u007F")));
    all.add(sorted(Stream.of("", "x".repeat(300), "x".repeat(70_000), "x".repeat(70_000) + "y", "z".repeat(1 << 20))));
    for (int count : new int[] {2, 15, 16, 17, 63, 64, 65, 129, 2000}) {
      all.add(sorted(IntStream.range(0, count).mapToObj(i -> "https://example.org/item/" + i * 37)));
      all.add(sorted(IntStream.range(0, count).mapToObj(i -> Integer.toHexString(i * 0x9E3779B9))));
      all.add(sorted(IntStream.range(0, count).mapToObj(i -> random.ints(1 + random.nextInt(9), 32, 0xD7FF)
          .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString())));
    }
    return all;
  }

  private final class Values implements TextValues {
    @Override
    public int size() {
      return texts.size();
    }

    @Override
    public long numBytes() {
      return texts.stream().mapToLong(text -> text.length).sum();
    }

    @Override
    public int longest() {
      return texts.stream().mapToInt(text -> text.length).max().orElseThrow();
    }

    @Override
    public void forEach(Consumer<byte[]> consumer) {
      texts.forEach(text -> consumer.accept(text.clone()));
    }

    @Override
    public void sample(int groupSize, int numBytes, Consumer<byte[][]> consumer) {
      final long every = Math.max(1, numBytes() / numBytes);
      for (long first = 0; first < texts.size(); first += every * groupSize) {
        consumer.accept(texts.subList((int) first, (int) Math.min(texts.size(), first + groupSize)).stream()
            .map(byte[]::clone).toArray(byte[][]::new));
      }
    }
  }
}
