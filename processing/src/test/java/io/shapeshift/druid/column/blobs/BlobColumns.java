// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.testing.RandomData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Columns of byte strings for tests: values of many shapes, and each form. */
final class BlobColumns {
  static final int SECTION_BYTES = 1 << 25;

  private BlobColumns() {}

  /** A way to encode a section. */
  enum Way {
    PLAIN {
      @Override
      EncodedBlobs encode(BlobSpill values, SegmentWriteOutMedium medium, OptimizationTarget target)
          throws IOException {
        return PlainBlobs.encode("c", values, medium, target);
      }
    },
    DISTINCT {
      @Override
      EncodedBlobs encode(BlobSpill values, SegmentWriteOutMedium medium, OptimizationTarget target)
          throws IOException {
        return new BlobChoice("c", medium, target).distinct(values, once -> PLAIN.encode(once, medium, target));
      }
    },
    WORDS_OF_8 {
      @Override
      EncodedBlobs encode(BlobSpill values, SegmentWriteOutMedium medium, OptimizationTarget target)
          throws IOException {
        return words(values, Long.BYTES, 16, medium, target);
      }
    },
    WORDS_OF_4 {
      @Override
      EncodedBlobs encode(BlobSpill values, SegmentWriteOutMedium medium, OptimizationTarget target)
          throws IOException {
        return words(values, Integer.BYTES, 8, medium, target);
      }
    },
    WORDS_OF_DISTINCT {
      @Override
      EncodedBlobs encode(BlobSpill values, SegmentWriteOutMedium medium, OptimizationTarget target)
          throws IOException {
        return new BlobChoice("c", medium, target).distinct(values, once -> WORDS_OF_8.encode(once, medium, target));
      }
    },
    LZ4 {
      @Override
      EncodedBlobs encode(BlobSpill values, SegmentWriteOutMedium medium, OptimizationTarget target)
          throws IOException {
        return BlockBlobs.encode("c", values, Codec.LZ4, Long.MAX_VALUE, medium, target);
      }
    },
    ZSTD {
      @Override
      EncodedBlobs encode(BlobSpill values, SegmentWriteOutMedium medium, OptimizationTarget target)
          throws IOException {
        return BlockBlobs.encode("c", values, Codec.ZSTD, Long.MAX_VALUE, medium, target);
      }
    },
    CHOSEN {
      @Override
      EncodedBlobs encode(BlobSpill values, SegmentWriteOutMedium medium, OptimizationTarget target)
          throws IOException {
        return new BlobChoice("c", medium, target).of(values);
      }
    };

    abstract EncodedBlobs encode(BlobSpill values, SegmentWriteOutMedium medium, OptimizationTarget target)
        throws IOException;

    private static EncodedBlobs words(
        BlobSpill values,
        int wordBytes,
        int minHead,
        SegmentWriteOutMedium medium,
        OptimizationTarget target
    ) throws IOException {
      final WordEncoder encoder = new WordEncoder(values, wordBytes, minHead, target);
      encoder.estimate();
      return encoder.encode("c", medium);
    }
  }

  /** Writes values. */
  static byte[] write(List<byte[]> values, Way way, OptimizationTarget target, int sectionBytes) throws IOException {
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final BlobsSerializer serializer =
          new BlobsSerializer("c", medium, (spill, scratch) -> way.encode(spill, scratch, target), sectionBytes);
      for (byte[] value : values) {
        serializer.add(value);
      }
      return toBytes(serializer);
    }
  }

  static byte[] toBytes(BlobsSerializer serializer) throws IOException {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final long size = serializer.getSerializedSize();
    serializer.writeTo(Channels.newChannel(out));
    if (size != out.size()) {
      throw new AssertionError("wrote " + out.size() + " bytes in place of " + size);
    }
    return out.toByteArray();
  }

  /** Values of many shapes, by name. */
  static Map<String, List<byte[]>> samples() {
    final RandomData random = RandomData.shared(45);
    final Map<String, List<byte[]>> samples = new LinkedHashMap<>();
    samples.put("none", List.of());
    samples.put("one", List.of(new byte[]{1, 2, 3}));
    samples.put("null", list(1, i -> null));
    samples.put("nulls", list(300, i -> null));
    samples.put("empty", list(300, i -> new byte[0]));
    samples.put("constant", list(300, i -> new byte[]{1, 2, 3, 4, 5, 6, 7, 8, 9}));
    samples.put("null or empty", list(200, i -> i % 3 == 0 ? null : new byte[0]));
    samples.put("null, empty and others", list(1000, i -> switch (i % 5) {
      case 0 -> null;
      case 1 -> new byte[0];
      default -> random.bytes(random.nextInt(40));
    }));
    samples.put("lengths around words", list(400, i -> random.bytes(i % 50)));
    final long[] few = LongStream.generate(random::nextLong).limit(300).toArray();
    samples.put("words that repeat", list(700, i -> words(random.nextInt(40), j -> few[random.nextInt(few.length)])));
    samples.put("words that ascend", list(300, i -> {
      final int start = random.nextInt(100);
      final int step = 1 + random.nextInt(3);
      return words(random.nextInt(60), j -> 1_000_003L * (start + step * (j % 25)));
    }));
    samples.put("words that ascend once", list(200, i -> words(60, j -> 0x5DEECE66DL * (60 * i + j))));
    samples.put("few bytes", list(40, i -> {
      final byte[] bytes = random.bytes(600 + i);
      for (int j = 0; j < bytes.length; j++) {
        bytes[j] &= 3;
      }
      return bytes;
    }));
    samples.put("one word", list(300, i -> words(i % 7, j -> 5)));
    samples.put("equal values", list(900, i -> words(3 + i % 7, j -> i % 7 * 1000L + j)));
    samples.put("texts", list(500, i -> ("{\"id\": " + i + ", \"kind\": \"event " + random.nextInt(9) + "\"}")
        .getBytes(StandardCharsets.UTF_8)));
    samples.put("longer than a block", list(5, i -> i == 2 ? null : random.bytes(70_000 * i)));
    return samples;
  }

  private interface Maker {
    byte[] make(int index);
  }

  private interface WordMaker {
    long make(int index);
  }

  private static List<byte[]> list(int size, Maker maker) {
    final List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      values.add(maker.make(i));
    }
    return values;
  }

  private static byte[] words(int count, WordMaker maker) {
    final ByteBuffer bytes = ByteBuffer.allocate(20 + Long.BYTES * count).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(20);
    for (int i = 0; i < count; i++) {
      bytes.putLong(maker.make(i));
    }
    return bytes.array();
  }
}
