// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.fuzz.FuzzTarget;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.verify.SegmentVerifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/** A file of a segment's directory, all others of which are as they were written. */
enum SegmentTarget implements FuzzTarget {
  VERSION(Version.V9, "version.bin"),
  META_SMOOSH(Version.V9, "meta.smoosh"),
  FACTORY(Version.V9, "factory.json"),
  V9_CONTAINER(Version.V9, "00000.smoosh"),
  V10_FILE(Version.V10, "druid.segment");

  private static final Map<Version, Map<String, byte[]>> SEGMENTS = segments();

  private final Version version;
  private final String file;

  SegmentTarget(Version version, String file) {
    this.version = version;
    this.file = file;
  }

  private static Map<Version, Map<String, byte[]>> segments() {
    final Map<Version, Map<String, byte[]>> segments = new TreeMap<>();
    for (Version version : Version.values()) {
      try {
        final Path folder = Files.createTempDirectory("segment");
        TestSegments.persist(
            EveryColumn.inMemory(1, 20),
            folder.toFile(),
            TestSegments.shapeShiftAll(OptimizationTarget.FASTBUTSMALLISH, BlockSize.SMALL),
            version
        );
        final Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> paths = Files.list(folder)) {
          for (Path path : paths.toList()) {
            files.put(path.getFileName().toString(), Files.readAllBytes(path));
          }
        }
        segments.put(version, files);
        FileUtils.deleteDirectory(folder.toFile());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return segments;
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(SEGMENTS.get(version).get(file));
  }

  /** Opens and verifies it, as far as that can be. */
  @Override
  public Object read(ByteBuffer input) throws IOException {
    final Path folder = Files.createTempDirectory("segment");
    try {
      final byte[] bytes = new byte[input.remaining()];
      input.get(bytes);
      for (Map.Entry<String, byte[]> each : SEGMENTS.get(version).entrySet()) {
        Files.write(folder.resolve(each.getKey()), each.getKey().equals(file) ? bytes : each.getValue());
      }
      try (Segment segment = Segment.open(folder)) {
        return SegmentVerifier.check(segment, column -> true).columns().size();
      }
    } finally {
      FileUtils.deleteDirectory(folder.toFile());
    }
  }

  @Override
  public boolean isRefusal(Exception e) {
    return e instanceof ToolException;
  }
}
