// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.google.common.base.Splitter;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.testing.Golden;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.IntIterator;

/** Chunks of posting lists in each form, byte by byte. */
class GoldenPostingsTest {
  private static final Splitter BAR = Splitter.on('|').trimResults();
  private static final Splitter SPACE = Splitter.on(' ').omitEmptyStrings();

  @Test
  void chunksMatchTheirGoldenBytes() throws IOException {
    final Set<String> seen = new TreeSet<>();
    for (Golden.Example example : Golden.checkExamples(Golden.file("postings/lists"), GoldenPostingsTest::encode)) {
      seen.add(form(example).name());
      final List<int[]> lists = lists(example);
      final PostingChunkReader reader = new PostingChunkReader(numRows(example));
      reader.startChunk(lists.size());
      // Bytes that readers touch follow in the index.
      final ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(example.bytes(), example.bytes().length + 8));
      form(example).transform(bytes.order(ByteOrder.LITTLE_ENDIAN), 0, example.bytes().length, reader);
      for (int list = 0; list < lists.size(); list++) {
        final RowSet rows = new RowSet(numRows(example));
        reader.read(list, list + 1, rows);
        final IntArrayList found = new IntArrayList();
        for (IntIterator i = rows.toBitmap(new RoaringBitmapFactory()).iterator(); i.hasNext(); ) {
          found.add(i.next());
        }
        assertArrayEquals(lists.get(list), found.toIntArray(), example.spec());
      }
    }
    final Set<String> all = new TreeSet<>();
    PostingForms.ALL.forEach(form -> all.add(form.name()));
    assertEquals(all, seen, "Add examples of all forms");
  }

  private static byte[] encode(Golden.Example example) {
    final PostingChunk chunk = new PostingChunk(numRows(example));
    lists(example).forEach(list -> chunk.add(list, 0, list.length));
    final ByteBuffer out = ByteBuffer.allocate(1 << 10).order(ByteOrder.LITTLE_ENDIAN);
    final Estimate estimate = form(example).estimate(chunk);
    assertNotEquals(Estimate.SKIP, estimate, example.spec());
    form(example).encode(chunk, out);
    assertEquals(estimate.bytes(), out.position(), example.spec());
    return Arrays.copyOf(out.array(), out.position());
  }

  private static List<String> head(Golden.Example example) {
    return SPACE.splitToList(BAR.splitToList(example.spec()).get(0));
  }

  private static PostingForm form(Golden.Example example) {
    return PostingForms.ALL.stream()
                           .filter(form -> form.name().equals(head(example).get(0)))
                           .findFirst()
                           .orElseThrow(() -> new AssertionError("No form is named " + head(example).get(0)));
  }

  private static int numRows(Golden.Example example) {
    return Integer.parseInt(head(example).get(1));
  }

  private static List<int[]> lists(Golden.Example example) {
    final List<String> parts = BAR.splitToList(example.spec());
    final List<int[]> lists = new ArrayList<>();
    for (String part : parts.subList(1, parts.size() - 1)) {
      lists.add(new Golden.Example(part, "", false).values());
    }
    return lists;
  }
}
