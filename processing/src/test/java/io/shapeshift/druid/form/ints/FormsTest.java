// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.form.BorrowedBuffers;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.codec.CompressedForm;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the forms are to each other. */
@ExtendWith(RandomData.Seeded.class)
class FormsTest {
  static List<IntForm> forms() {
    return IntForms.ALL;
  }

  // One reader, many forms

  @ParameterizedTest
  @MethodSource("io.shapeshift.druid.form.ints.FormContract#orders")
  void oneReaderReadsChunksOfAllFormsInAnyOrder(ByteOrder order, RandomData random) {
    final List<Sample> samples = Sample.few(random);
    final IntChunkReader reader = new IntChunkReader();
    for (int i = 0; i < 2_000; i++) {
      final Sample sample = samples.get(random.nextInt(samples.size()));
      final IntForm form = IntForms.ALL.get(random.nextInt(IntForms.ALL.size()));
      if (!sample.suits(form)) {
        continue;
      }
      final ByteBuffer chunk = sample.encode(form, order);
      reader.startChunk(sample.values().length);
      switch (random.nextInt(4)) {
        case 0 -> reader.close();
        case 1 -> assertThrows(
            MalformedChunkException.class, () -> form.transform(chunk, 0, chunk.capacity() - 1, reader));
        default -> { }
      }
      form.transform(chunk.clear(), 0, chunk.capacity(), reader);
      Reads.assertAll(sample.values(), reader, random, () -> sample + " in form " + form.name());
    }
    reader.close();
  }

  /** Forms have no state, although the codecs and arrays that some of them borrow do. */
  @ParameterizedTest
  @MethodSource("forms")
  void formsServeManyThreads(IntForm form, RandomData random) throws Exception {
    final List<Sample> samples = Sample.few(random).stream().filter(sample -> sample.suits(form)).toList();
    final List<ByteBuffer> chunks = samples.stream().map(s -> s.encode(form, ByteOrder.LITTLE_ENDIAN)).toList();
    final Callable<Void> thread = () -> {
      try (IntChunkReader reader = new IntChunkReader()) {
        for (int i = 0; i < 10 * samples.size(); i++) {
          final Sample sample = samples.get(i % samples.size());
          final ByteBuffer chunk = sample.encode(form, ByteOrder.LITTLE_ENDIAN);
          assertEquals(chunks.get(i % samples.size()), chunk, sample::name);
          reader.startChunk(sample.values().length);
          form.transform(chunk, 0, chunk.limit(), reader);
          final int[] values = new int[sample.values().length];
          reader.get(values, 0, 0, values.length);
          assertArrayEquals(sample.values(), values, sample::name);
        }
      }
      return null;
    };
    final ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (Future<Void> done : threads.invokeAll(List.of(thread, thread, thread, thread))) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  // The pools

  /** Direct memory that is left to the garbage collector is freed late, or too late. */
  @Test
  void payloadsAreLentAgainHoweverManyWereOpen() {
    final Sample sample = new Sample("a phrase", IntStream.range(0, 500).map(i -> i % 5).toArray());
    final IntForm lz4 = IntForms.byId(CompressedForm.LZ4_ID);
    final ByteBuffer chunk = sample.encode(lz4, ByteOrder.LITTLE_ENDIAN);
    long created = 0;
    for (int round = 0; round < 2; round++) {
      final List<IntChunkReader> readers = Stream.generate(IntChunkReader::new).limit(1000).toList();
      for (IntChunkReader reader : readers) {
        reader.startChunk(sample.values().length);
        lz4.transform(chunk, 0, chunk.limit(), reader);
      }
      readers.forEach(IntChunkReader::close);
      if (round == 0) {
        created = BorrowedBuffers.payloadsCreated();
      }
    }
    assertEquals(created, BorrowedBuffers.payloadsCreated());
  }

  @Test
  void readersBorrowOnlyWhatTheirChunksNeed() throws Exception {
    final Sample sample = new Sample("runs", RandomData.constant(500, 7));
    for (FormContract contract : FormContract.all()) {
      final IntForm form = contract.form();
      if (!sample.suits(form)) {
        continue;
      }
      final ByteBuffer chunk = sample.encode(form, ByteOrder.LITTLE_ENDIAN);
      final long before = BorrowedBuffers.count();
      final IntChunkReader reader = new IntChunkReader();
      reader.startChunk(sample.values().length);
      form.transform(chunk, 0, chunk.limit(), reader);
      assertEquals(before + contract.borrows(), BorrowedBuffers.count(),
          () -> "after reading " + form.name() + ", whose FormContract.borrows() says " + contract.borrows());
      reader.close();
      assertEquals(before, BorrowedBuffers.count(), () -> "after closing a reader of " + form.name());
    }
  }
}
