// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.form.ints.Sample;
import io.shapeshift.druid.form.ints.packed.BytePackForm;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What all codecs share. */
abstract class CompressedFormContract extends FormContract {
  /** Decompresses with nothing but the codec's library. */
  abstract byte[] decompress(byte[] compressed);

  @Override
  public int borrows() {
    return 1;
  }

  @Override
  public final Estimate.Kind expectedEstimate(int[] values) {
    return values.length * Reference.bytesPerValue(values) > 65_536 ? Estimate.Kind.SKIP : Estimate.Kind.TRY;
  }

  @Override
  public final int[] readByTheBook(ByteBuffer chunk, int numValues) {
    final byte innerId = chunk.get();
    final int told = innerId == BytePackForm.ID ? 0 : chunk.get();
    final byte[] compressed = new byte[chunk.remaining()];
    chunk.get(compressed);
    final ByteBuffer payload = ByteBuffer.wrap(decompress(compressed)).order(chunk.order());
    final int metadata = innerId == BytePackForm.ID ? payload.remaining() / numValues : told;
    return Reference.compressible(innerId, payload, metadata, numValues);
  }

  @Override
  public final boolean tellsNumValues(ByteBuffer chunk) {
    return chunk.get(1) != BitsForm.ID && chunk.get(1) != BytePackForm.ID;
  }

  /** The bytes per value of bytepack follow from the payload. */
  @Override
  public final boolean mayBeWholeIfTruncated(ByteBuffer chunk) {
    return chunk.get(1) == BytePackForm.ID;
  }

  /** The inner forms that are tried besides bytepack, in this order. */
  abstract List<IntForm> innerForms();

  /** The bytes that the codec's quickest variant makes of a payload. */
  abstract int compressQuickly(byte[] payload);

  /** Long chunks of all kinds, and what makes each inner form the best. */
  @Override
  public final List<Sample> hardSamples(RandomData random) {
    return List.of(
        new Sample("bytepack", random.phrases(Limits.MAX_INTS_PER_CHUNK, 7, 3, 30)),
        new Sample("rle", random.runs(Limits.MAX_DIRECT_INTS, 12, 1000, 2000, 3000)),
        new Sample("shuffle", RandomData.above(70_000, random.uniform(Limits.MAX_PAYLOAD_BYTES / 3, 9))),
        new Sample("bytedictionary", dictionary(random)),
        new Sample("bits", random.sparse(Limits.MAX_INTS_PER_CHUNK, 1, 3)),
        new Sample("three bits", RandomData.above(90, random.exceptions(60_001, 1, 3, 4)))
    );
  }

  private static int[] dictionary(RandomData random) {
    final int[] entries = random.uniform(100, 20);
    return IntStream.generate(() -> entries[random.nextInt(100)]).limit(Limits.MAX_PAYLOAD_BYTES / 3).toArray();
  }

  @Test
  void compressesTheInnerFormOfWhichTheQuickestVariantMakesTheLeast(RandomData random) {
    final CodecForm<IntChunk, ?> codec = (CodecForm<IntChunk, ?>) form();
    final Set<String> chosen = new TreeSet<>();
    for (Sample sample : Stream.of(hardSamples(random), Sample.few(random)).flatMap(List::stream).toList()) {
      final byte[] plain = payload(new BytePackForm(), sample);
      IntForm best = new BytePackForm();
      int bytes = compressQuickly(plain);
      for (IntForm inner : innerForms()) {
        if (sample.suits(inner)) {
          final byte[] payload = payload(inner, sample);
          final int innerBytes = payload.length > plain.length ? Integer.MAX_VALUE : compressQuickly(payload);
          best = innerBytes < bytes ? inner : best;
          bytes = Math.min(bytes, innerBytes);
        }
      }
      final CodecForm.Trial trial = codec.tryQuickly(sample.chunk());
      assertEquals((best.name().equals("bytepack") ? 2 : 3) + bytes, trial.best(), sample.name());
      assertEquals(2 + compressQuickly(plain), trial.plain(), sample.name());
      for (ByteOrder order : orders()) {
        final ByteBuffer chunk = sample.encode(form(), order);
        assertEquals(best.id(), chunk.get(1), sample.name());
        assertEquals(
            best.name(), form().compressedName(chunk, 0, chunk.limit(), new IntChunkReader()), sample.name());
      }
      chosen.add(best.name());
    }
    final Set<String> all = innerForms().stream().map(IntForm::name).collect(Collectors.toSet());
    all.add("bytepack");
    assertEquals(all, chosen);
  }

  private static byte[] payload(IntForm inner, Sample sample) {
    final byte[] chunk = sample.encode(inner, ByteOrder.LITTLE_ENDIAN).array();
    return Arrays.copyOfRange(chunk, 2, chunk.length);
  }

  @Test
  void hasRoomForDataThatGrows(RandomData random) {
    final Sample incompressible = new Sample("incompressible", random.uniform(Limits.MAX_DIRECT_INTS, 31));
    final int bytes = incompressible.encode(form(), ByteOrder.nativeOrder()).limit();
    // A quarter of each value's high byte, at most, is all that there is to gain.
    assertTrue(bytes > Limits.MAX_PAYLOAD_BYTES * 31 / 32, () -> bytes + " bytes");
    final Sample bytesOnly = new Sample("all bytes", random.uniform(Limits.MAX_INTS_PER_CHUNK, 8));
    final int grown = bytesOnly.encode(form(), ByteOrder.nativeOrder()).limit();
    assertTrue(grown > 2 + Limits.MAX_PAYLOAD_BYTES, () -> grown + " bytes");
  }

  @Test
  void refusesInnerFormsThatCannotBeCompressed() {
    final ByteBuffer chunk = new Sample("few", 1, 300, 2).encode(form(), ByteOrder.nativeOrder());
    final IntChunkReader reader = new IntChunkReader();
    reader.startChunk(3);
    for (byte inner : new byte[] {-1, 0, 1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 16, 99}) {
      chunk.put(1, inner);
      final MalformedChunkException e = assertThrows(
          MalformedChunkException.class, () -> form().transform(chunk, 0, chunk.capacity(), reader));
      assertEquals(form().name() + " holds form " + inner + ", which cannot be compressed", e.getMessage());
    }
    reader.close();
  }
}
