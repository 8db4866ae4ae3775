// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.structures.Structures;
import io.shapeshift.druid.metrics.SegmentPart;
import io.shapeshift.druid.metrics.WrittenSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntUnaryOperator;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.Serializer;

/**
 * Encoder of the values that fields have in the rows of each structure. One field after another uses it.
 *
 * <p>The value of a structure is that of most of its rows, found by the majority vote of Boyer and Moore in one pass.
 * If no value has a majority, it is one of the values.
 *
 * @see NestedFieldFormat the format
 */
final class StructureIdsEncoder {
  private static final int MOST_PAIR_BYTES = 10;

  private final int[] structureOfRow;
  /** Value of each structure; 0 for structures without the field. */
  private final int[] values;
  private final int[] votes;
  /** Structures with the field. */
  private final BitSet voted = new BitSet();

  /**
   * Creates an encoder.
   *
   * @param structureOfRow id of each row's structure
   * @param numStructures  number of structures, with that of null and of kept rows
   */
  StructureIdsEncoder(int[] structureOfRow, int numStructures) {
    this.structureOfRow = structureOfRow;
    this.values = new int[numStructures];
    this.votes = new int[numStructures];
  }

  /** Returns the number of structures, with that of null and of kept rows. */
  int numStructures() {
    return values.length;
  }

  /**
   * Finds the values of a field, and returns the number of exceptions.
   *
   * @param other value of kept rows, and of structures without the field
   */
  int vote(PresentValues field, int other) throws IOException {
    for (int structure = voted.nextSetBit(0); structure >= 0; structure = voted.nextSetBit(structure + 1)) {
      values[structure] = 0;
      votes[structure] = 0;
    }
    voted.clear();
    field.forEach((row, value) -> {
      final int structure = structureOfRow[row];
      if (values[structure] == value) {
        votes[structure]++;
      } else if (--votes[structure] < 0) {
        values[structure] = value;
        votes[structure] = 1;
        voted.set(structure);
      }
    });
    voted.set(Structures.KEPT);
    values[Structures.KEPT] = other;
    final int[] exceptions = {0};
    forEachException(field, (row, value) -> exceptions[0]++);
    return exceptions[0];
  }

  /** Passes on the values that are not those of their structure. */
  void forEachException(PresentValues field, PresentValues.Sink sink) throws IOException {
    field.forEach((row, value) -> {
      if (values[structureOfRow[row]] != value) {
        sink.accept(row, value);
      }
    });
  }

  /**
   * Returns the section of the last field.
   *
   * @param toId returns the id of a value
   */
  Serializer encode(IntUnaryOperator toId) {
    final ByteBuffer out = ByteBuffer.allocate(MOST_PAIR_BYTES * voted.cardinality());
    int last = Structures.KEPT;
    for (int structure = voted.nextSetBit(last + 1); structure >= 0; structure = voted.nextSetBit(structure + 1)) {
      final int id = toId.applyAsInt(values[structure]);
      if (id > 0) {
        VByte.writeInt(out, structure - last);
        VByte.writeInt(out, id);
        last = structure;
      }
    }
    return new Encoded(ByteBuffer.wrap(Arrays.copyOf(out.array(), out.position())));
  }

  private record Encoded(ByteBuffer bytes) implements Serializer {
    @Override
    public long getSerializedSize() {
      return bytes.limit();
    }

    @Override
    public void writeTo(WritableByteChannel channel, @Nullable SegmentFileBuilder fileBuilder) throws IOException {
      Channels.writeFully(channel, bytes.duplicate());
      WrittenSegment.addPart(SegmentPart.ROWS, bytes.limit(), "by structure", WrittenSegment.UNKNOWN);
    }
  }
}
