// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import com.google.common.base.Ascii;
import com.google.common.base.Splitter;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.segment.IntEncodingStrategy;
import io.shapeshift.druid.select.OptimizationTarget;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.convert.Conversion;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Path;
import java.util.List;
import org.apache.druid.segment.data.CompressionStrategy;

/**
 * How a segment stores its dictionary ids.
 *
 * @param strategy    shape-shifting, or Druid's own columns
 * @param compression of Druid's own columns; without effect if they shape-shift
 */
record SegmentEncoding(IntEncodingStrategy strategy, CompressionStrategy compression) {
  /** Those that a polluted JVM has seen. */
  static final List<String> NAMES = List.of(
      "druid-lz4",
      "druid-zstd",
      "druid-uncompressed",
      "shapeshift-smaller",
      "shapeshift-fastbutsmallish",
      "shapeshift-faster"
  );

  /**
   * The encoding of a name: {@code druid-COMPRESSION}, or {@code shapeshift-TARGET}, with the size of blocks behind a
   * dash if it is not the default.
   */
  static SegmentEncoding of(String name) {
    final List<String> words = Splitter.on('-').splitToList(Ascii.toUpperCase(name));
    try {
      if (words.size() == 2 && words.get(0).equals("DRUID")) {
        return new SegmentEncoding(IntEncodingStrategy.COMPRESSION, CompressionStrategy.valueOf(words.get(1)));
      }
      if ((words.size() == 2 || words.size() == 3) && words.get(0).equals("SHAPESHIFT")) {
        final BlockSize blockSize = words.size() == 3 ? BlockSize.valueOf(words.get(2)) : BlockSize.LARGE;
        return new SegmentEncoding(
            IntEncodingStrategy.shapeShift(OptimizationTarget.valueOf(words.get(1)), blockSize),
            CompressionStrategy.LZ4
        );
      }
    } catch (IllegalArgumentException e) {
      throw unknown(name);
    }
    throw unknown(name);
  }

  private static ToolException unknown(String name) {
    return new ToolException("encoding " + name, "there is no such encoding", "Name one of " + NAMES);
  }

  /** Writes a segment in this encoding, all else of it byte for byte the same. */
  void convert(Segment segment, Path out) {
    new Conversion(strategy, compression, false).run(
        segment.directory(),
        List.of(new SegmentLocation(segment.directory())),
        out
    );
  }
}
