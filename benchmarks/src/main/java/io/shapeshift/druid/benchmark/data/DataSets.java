// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.data;

import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.ingest.SegmentBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.apache.druid.segment.IndexSpec;

/** Segments to measure, in Druid's own columns. Each is made at its first use and kept in a cache directory. */
public final class DataSets {
  private static final String WIKITICKER = "/wikipedia/wikiticker-2015-09-12-sampled.json.gz";

  private DataSets() {}

  /**
   * Edits of Wikipedia on one day: the sample in Druid's tests. Its numbers are long dimensions.
   *
   * @param cache directory of segments
   * @return the segment
   * @throws ToolException if it cannot be made
   */
  public static Path wikiticker(Path cache) {
    return cached(cache.resolve("wikiticker"), segment -> {
      try (TemporaryDirectory directory = TemporaryDirectory.create("wikiticker");
           InputStream sample = DataSets.class.getResourceAsStream(WIKITICKER)) {
        final Path file = directory.path().resolve("wikiticker.json.gz");
        Files.copy(Objects.requireNonNull(sample), file);
        SegmentBuilder.build(file, "time", IndexSpec.getDefault(), segment);
      } catch (IOException e) {
        throw new ToolException(WIKITICKER, "it cannot be unpacked: " + e, "Make room for temporary files", e);
      }
    });
  }

  /**
   * A table of TPC-H, as {@link TpchSegments} makes it.
   *
   * @param cache directory of segments
   * @return the segment
   * @throws IllegalArgumentException if there is no such table, or no such scale
   * @throws ToolException            if it cannot be made
   */
  public static Path tpch(String table, double scale, Path cache) {
    final TpchSegments<?> segments = TpchSegments.of(table, scale);
    return cached(
        cache.resolve("tpch-" + table + "-" + text(scale)),
        segment -> segments.write(OptionalInt.empty(), segment)
    );
  }

  /**
   * Several segments of the same table.
   *
   * @param rowsPerSegment rows of each segment, at most
   * @param cache          directory of segments
   * @return the folder of the segments
   * @throws IllegalArgumentException if there is no such table, or no such scale
   * @throws ToolException            if it cannot be made
   */
  public static Path tpch(String table, double scale, int rowsPerSegment, Path cache) {
    final TpchSegments<?> segments = TpchSegments.of(table, scale);
    return cached(
        cache.resolve("tpch-" + table + "-" + text(scale) + "-" + rowsPerSegment),
        folder -> segments.write(OptionalInt.of(rowsPerSegment), folder)
    );
  }

  /**
   * Several segments of a table of TPC-H with all columns as strings, as {@link TpchSegments#withStrings} makes them.
   *
   * @param rowsPerSegment rows of each segment, at most
   * @param cache          directory of segments
   * @return the folder of the segments
   * @throws IllegalArgumentException if there is no such table, or no such scale
   * @throws ToolException            if it cannot be made
   */
  public static Path tpchStrings(String table, double scale, int rowsPerSegment, Path cache) {
    final TpchSegments<?> segments = TpchSegments.of(table, scale).withStrings();
    return cached(
        // Segments under the former name have no nulls, and may still be in the cache.
        cache.resolve("tpch-" + table + "-strings-nulls-" + text(scale) + "-" + rowsPerSegment),
        folder -> segments.write(OptionalInt.of(rowsPerSegment), folder)
    );
  }

  private static String text(double scale) {
    return BigDecimal.valueOf(scale).stripTrailingZeros().toPlainString();
  }

  /** Makes a segment unless the cache has it. It is moved into place when it is complete. */
  private static Path cached(Path segment, Consumer<Path> make) {
    if (isMade(segment)) {
      return segment;
    }
    try {
      make.accept(segment);
    } catch (ToolException e) {
      // Another process may have made it in the meantime.
      if (!isMade(segment)) {
        throw e;
      }
    }
    return segment;
  }

  private static boolean isMade(Path segment) {
    try {
      return !TemporaryDirectory.isFree(segment);
    } catch (IOException e) {
      throw new ToolException(segment.toString(), "it cannot be read: " + e, "Delete it", e);
    }
  }
}
