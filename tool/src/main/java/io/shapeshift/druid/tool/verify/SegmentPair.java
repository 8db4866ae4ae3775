// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.annotation.Nullable;

/**
 * Pair of segments to compare.
 *
 * @param relative path of both below the two folders; empty if there is only one pair
 * @param first    segment of the first folder; null if it has none at this path
 * @param second   segment of the second folder; null if it has none at this path
 */
record SegmentPair(Path relative, @Nullable SegmentLocation first, @Nullable SegmentLocation second) {
  /**
   * Pairs the segments of two folders by their {@linkplain SegmentLocation#placeBelow places} below them, whether
   * zipped or not. If each folder has a single segment, these two are the pair, whatever their paths are.
   *
   * @throws ToolException if there is no segment, if one path is a single segment and the other a folder of several, or
   *     if two segments of a folder have the same place
   */
  static List<SegmentPair> of(Path first, Path second) {
    final List<SegmentLocation> inFirst = SegmentLocation.find(List.of(first));
    final List<SegmentLocation> inSecond = SegmentLocation.find(List.of(second));
    final boolean one = inFirst.size() == 1 && inSecond.size() == 1;
    if (one || !isFolder(first, inFirst) || !isFolder(second, inSecond)) {
      return List.of(new SegmentPair(Path.of(""), SegmentLocation.one(first), SegmentLocation.one(second)));
    }
    final Map<Path, SegmentLocation> firstByPath = byPlace(first, inFirst);
    final Map<Path, SegmentLocation> secondByPath = byPlace(second, inSecond);
    final Set<Path> paths = new TreeSet<>(firstByPath.keySet());
    paths.addAll(secondByPath.keySet());
    return paths.stream()
                .map(path -> new SegmentPair(path, firstByPath.get(path), secondByPath.get(path)))
                .toList();
  }

  private static boolean isFolder(Path path, List<SegmentLocation> segments) {
    return Files.isDirectory(path) && !segments.get(0).path().equals(path);
  }

  private static Map<Path, SegmentLocation> byPlace(Path folder, List<SegmentLocation> segments) {
    final Map<Path, SegmentLocation> byPlace = new TreeMap<>();
    for (SegmentLocation segment : segments) {
      @Nullable final SegmentLocation other = byPlace.put(segment.placeBelow(folder), segment);
      if (other != null) {
        throw new ToolException(
            folder.toString(),
            other.path() + " and " + segment.path() + " have the same partner",
            "Compare each of them alone"
        );
      }
    }
    return byPlace;
  }
}
