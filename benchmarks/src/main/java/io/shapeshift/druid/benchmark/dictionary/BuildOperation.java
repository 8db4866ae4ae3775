// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import com.google.common.base.Ascii;
import com.google.common.collect.Iterables;
import com.google.common.collect.Iterators;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;

/** Ways to build a dictionary. */
enum BuildOperation {
  /** From values on the heap, as for ingested rows. */
  BUILD,
  /** From ten dictionaries of the same encoding, as in a merge of segments; each has about half of the values. */
  MERGE;

  private static final int INPUTS = 10;

  /**
   * The operation with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static BuildOperation parse(String name) {
    return Arrays.stream(values()).filter(each -> each.toString().equals(name)).findFirst().orElseThrow(() ->
        new IllegalArgumentException("There is no operation " + name + ". There are " + Arrays.toString(values())));
  }

  /** Sorted values to build the dictionary from; can be iterated several times. */
  Iterable<String> input(DictionaryEncoding encoding, List<String> values, long seed) throws IOException {
    if (this == BUILD) {
      return values;
    }
    final List<EncodedDictionary> inputs = new ArrayList<>();
    final Random random = new Random(seed);
    for (int i = 0; i < INPUTS; i++) {
      inputs.add(EncodedDictionary.of(encoding, values.stream().filter(value -> random.nextBoolean()).toList()));
    }
    return () -> {
      final var all = Iterators.mergeSorted(
          Iterables.transform(inputs, input -> byId(input.readers().get().strings())),
          Comparator.<String>naturalOrder()
      );
      final var peeking = Iterators.peekingIterator(all);
      return Iterators.filter(peeking, value -> !peeking.hasNext() || !peeking.peek().equals(value));
    };
  }

  /** Iterates by id, as Druid's merger does. */
  private static java.util.Iterator<String> byId(Indexed<String> values) {
    return IntStream.range(0, values.size()).mapToObj(values::get).iterator();
  }

  /** Writes a dictionary to nowhere, and returns its size in bytes. */
  static long run(DictionaryEncoding encoding, Iterable<String> input) throws IOException {
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final Serializer serializer = encoding.write(input, medium);
      final long size = serializer.getSerializedSize();
      serializer.writeTo(Channels.newChannel(OutputStream.nullOutputStream()), null);
      return size;
    }
  }

  @Override
  public String toString() {
    return Ascii.toLowerCase(name());
  }
}
