// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.annotation.Nullable;

/** Paths of converted segments below the target of a conversion. */
final class Targets {
  private static final String INDEX_ZIP = "index.zip";

  private Targets() {}

  /**
   * Assigns each segment a path that neither equals nor is within that of another segment.
   *
   * @param path      a segment or a folder of segments
   * @param locations segments at or below the path
   * @param out       target: a zip file of one segment if its name ends in {@code .zip}, otherwise a directory
   * @param zip       whether to write segments as zip files below that directory
   * @return path of each segment relative to the target; empty for the target itself
   * @throws ToolException if two segments would have the same path, or one would be within the other. Names that differ
   *     only by case count as equal, because some file systems do not distinguish them
   */
  static Map<SegmentLocation, Path> of(Path path, List<SegmentLocation> locations, Path out, boolean zip) {
    final Map<SegmentLocation, Path> targets = new LinkedHashMap<>();
    final Map<List<String>, SegmentLocation> byNames = new HashMap<>();
    for (SegmentLocation location : locations) {
      final Path target = target(path, location, out, zip);
      targets.put(location, target);
      @Nullable final SegmentLocation other = byNames.put(names(target), location);
      if (other != null) {
        throw collision(other, location, out, targets);
      }
    }
    for (Map.Entry<List<String>, SegmentLocation> target : byNames.entrySet()) {
      for (int length = target.getKey().size() - 1; length >= 0; length--) {
        @Nullable final SegmentLocation around = byNames.get(target.getKey().subList(0, length));
        if (around != null) {
          throw collision(around, target.getValue(), out, targets);
        }
      }
    }
    return targets;
  }

  private static Path target(Path path, SegmentLocation location, Path out, boolean zip) {
    if (Conversion.isZip(out)) {
      return Path.of("");
    }
    if (location.path().equals(path) || !Files.isDirectory(path)) {
      return Path.of(zip ? INDEX_ZIP : "");
    }
    if (!zip) {
      return location.placeBelow(path);
    }
    return location.isZip() ? path.relativize(location.path()) : location.placeBelow(path).resolve(INDEX_ZIP);
  }

  /** Names of a path's elements, in one case and one Unicode normal form. */
  private static List<String> names(Path path) {
    final List<String> names = new ArrayList<>();
    for (Path name : path) {
      if (!name.toString().isEmpty()) {
        names.add(Normalizer.normalize(name.toString(), Normalizer.Form.NFC)
                            .toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }

  private static ToolException collision(
      SegmentLocation first,
      SegmentLocation second,
      Path out,
      Map<SegmentLocation, Path> targets
  ) {
    return new ToolException(
        out.toString(),
        String.format(
            Locale.ROOT,
            "%s would become %s, and %s would become %s, so that one would hide the other",
            first.path(),
            out.resolve(targets.get(first)),
            second.path(),
            out.resolve(targets.get(second))
        ),
        "Convert them one by one, each to a place of its own"
    );
  }
}
