// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.Indexed;

/**
 * Choice of parts to look for in a column's texts. Candidates are parts of {@value #BYTES} bytes of texts at equal
 * distances in the dictionary, and these parts backwards. The same texts always have the same parts.
 */
public final class PartFilters {
  /** Number of texts that have a part. */
  public enum Hits {
    /** 1 to {@value #MOST_HITS} texts. */
    FEW("fewHits"),
    NONE("noHits");

    private final String json;

    Hits(String json) {
      this.json = json;
    }

    /** Name in JSON. */
    public String json() {
      return json;
    }
  }

  private static final int BYTES = 6;
  private static final int MOST_HITS = 10;
  private static final int SAMPLED_TEXTS = 64;
  private static final int PARTS_PER_TEXT = 4;
  private static final long MASK = (1L << (Byte.SIZE * BYTES)) - 1;

  private final Indexed<ByteBuffer> texts;
  /** Candidates: the parts at even places, and behind each of them the same backwards. */
  private final List<String> parts = new ArrayList<>();
  /** Place of each candidate by its bytes. */
  private final Long2IntOpenHashMap places = new Long2IntOpenHashMap();

  private PartFilters(Indexed<ByteBuffer> texts) {
    this.texts = texts;
    places.defaultReturnValue(-1);
  }

  /**
   * Creates filters for texts with a part.
   *
   * @param texts values of the column in UTF-8
   * @return filters by the number of texts that they find; none for a number that no candidate has
   */
  public static Map<Hits, Filter> of(Indexed<ByteBuffer> texts) {
    return new PartFilters(texts).filters();
  }

  private Map<Hits, Filter> filters() {
    final int samples = Math.min(SAMPLED_TEXTS, texts.size());
    for (int sample = 0; sample < samples; sample++) {
      // From the middle on: the first texts are often unlike the others.
      final int middle = (sample + samples / 2) % samples;
      @Nullable final ByteBuffer text = texts.get((int) ((2L * middle + 1) * texts.size() / (2L * samples)));
      addCandidates(text == null ? new byte[0] : bytes(text));
    }
    final int[] counts = count();
    final Map<Hits, Filter> filters = new EnumMap<>(Hits.class);
    putFirst(filters, Hits.FEW, 0, counts, MOST_HITS);
    putFirst(filters, Hits.NONE, 1, counts, 0);
    return filters;
  }

  private static byte[] bytes(ByteBuffer text) {
    final byte[] bytes = new byte[text.remaining()];
    text.get(text.position(), bytes);
    return bytes;
  }

  private void addCandidates(byte[] text) {
    for (int i = 0; i < PARTS_PER_TEXT && text.length >= BYTES; i++) {
      final int start = (int) ((text.length - BYTES) * (2L * i + 1) / (2 * PARTS_PER_TEXT));
      final String part = new String(text, start, BYTES, StandardCharsets.UTF_8);
      // A part that starts or ends within a character is not valid.
      if (Arrays.equals(part.getBytes(StandardCharsets.UTF_8), Arrays.copyOfRange(text, start, start + BYTES))) {
        add(part);
        add(new StringBuilder(part).reverse().toString());
      }
    }
  }

  private void add(String part) {
    places.putIfAbsent(key(part.getBytes(StandardCharsets.UTF_8)), parts.size());
    parts.add(part);
  }

  private static long key(byte[] part) {
    long key = 0;
    for (byte each : part) {
      key = (key << Byte.SIZE) | (each & 0xFF);
    }
    return key;
  }

  /** Counts the texts that have each candidate. */
  private int[] count() {
    final int[] counts = new int[parts.size()];
    final int[] lastTexts = new int[parts.size()];
    Arrays.fill(lastTexts, -1);
    for (int id = 0; id < texts.size(); id++) {
      @Nullable final ByteBuffer text = texts.get(id);
      final byte[] bytes = text == null ? new byte[0] : bytes(text);
      long key = 0;
      for (int end = 0; end < bytes.length; end++) {
        key = ((key << Byte.SIZE) | (bytes[end] & 0xFF)) & MASK;
        final int place = end < BYTES - 1 ? -1 : places.get(key);
        if (place >= 0 && lastTexts[place] != id) {
          lastTexts[place] = id;
          counts[place]++;
        }
      }
    }
    // Candidates that are equal share the first one's place.
    return IntStream.range(0, counts.length)
        .map(i -> counts[places.get(key(parts.get(i).getBytes(StandardCharsets.UTF_8)))]).toArray();
  }

  /**
   * Adds a filter for the first candidate that at most so many texts have.
   *
   * @param first 0 for parts of texts, 1 for those backwards
   */
  private void putFirst(Map<Hits, Filter> filters, Hits hits, int first, int[] counts, int most) {
    for (int i = first; i < counts.length; i += 2) {
      if (counts[i] <= most) {
        filters.put(hits, Filter.containing(parts.get(i), counts[i]));
        return;
      }
    }
  }
}
