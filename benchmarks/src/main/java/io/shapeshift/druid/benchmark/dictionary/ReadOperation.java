// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import com.google.common.base.Ascii;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.data.Indexed;
import org.openjdk.jmh.infra.Blackhole;

/** Operations that read a dictionary. */
enum ReadOperation {
  /** Strings by random ids, as in groupings. */
  GET_RANDOM {
    @Override
    int run(DictionaryEncoding.Reader reader, Lookups lookups, Blackhole sink) {
      return strings(reader.strings(), lookups.random(), sink);
    }
  },
  /** Reads strings by ascending ids, with gaps between the ids if there are many values. */
  GET_SORTED {
    @Override
    int run(DictionaryEncoding.Reader reader, Lookups lookups, Blackhole sink) {
      return strings(reader.strings(), lookups.sorted(), sink);
    }
  },
  /** UTF-8 by random ids; reads the length, the first byte and the last byte. */
  GET_UTF8 {
    @Override
    int run(DictionaryEncoding.Reader reader, Lookups lookups, Blackhole sink) {
      final Indexed<ByteBuffer> values = reader.utf8();
      int sum = 0;
      for (int id : lookups.random()) {
        final ByteBuffer value = values.get(id);
        if (value != null && value.hasRemaining()) {
          sum += value.remaining() + value.get(value.position()) + value.get(value.limit() - 1);
        }
      }
      sink.consume(sum);
      return lookups.random().length;
    }
  },
  /** Ids of values that the dictionary has. */
  INDEX_OF_HIT {
    @Override
    int run(DictionaryEncoding.Reader reader, Lookups lookups, Blackhole sink) {
      return ids(reader.utf8(), lookups.hits(), sink);
    }
  },
  /** Insertion points of values that the dictionary does not have. */
  INDEX_OF_MISS {
    @Override
    int run(DictionaryEncoding.Reader reader, Lookups lookups, Blackhole sink) {
      return ids(reader.utf8(), lookups.misses(), sink);
    }
  },
  /** All values as strings, by an iterator. */
  ITERATE {
    @Override
    int run(DictionaryEncoding.Reader reader, Lookups lookups, Blackhole sink) {
      for (String value : reader.strings()) {
        sink.consume(value);
      }
      return reader.strings().size();
    }
  },
  /**
   * Reads all values by id as UTF-8, converts them to strings and searches them, as Druid's {@code like} filter does.
   */
  LIKE {
    @Override
    int run(DictionaryEncoding.Reader reader, Lookups lookups, Blackhole sink) {
      final Indexed<ByteBuffer> values = reader.utf8();
      int matches = 0;
      for (int id = 0; id < values.size(); id++) {
        final String value = StringUtils.fromUtf8Nullable(values.get(id));
        if (value != null && value.contains("st")) {
          matches++;
        }
      }
      sink.consume(matches);
      return values.size();
    }
  };

  /**
   * The operation with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static ReadOperation parse(String name) {
    return Arrays.stream(values()).filter(each -> each.toString().equals(name)).findFirst().orElseThrow(() ->
        new IllegalArgumentException("There is no operation " + name + ". There are " + Arrays.toString(values())));
  }

  /** Runs the operation, and returns the number of values it has read. */
  abstract int run(DictionaryEncoding.Reader reader, Lookups lookups, Blackhole sink);

  private static int strings(Indexed<String> values, int[] ids, Blackhole sink) {
    for (int id : ids) {
      sink.consume(values.get(id));
    }
    return ids.length;
  }

  private static int ids(Indexed<ByteBuffer> values, ByteBuffer[] wanted, Blackhole sink) {
    for (ByteBuffer value : wanted) {
      sink.consume(values.indexOf(value));
    }
    return wanted.length;
  }

  @Override
  public String toString() {
    return Ascii.toLowerCase(name()).replace('_', '-');
  }
}
