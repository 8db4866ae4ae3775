// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import com.google.common.collect.Maps;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import io.shapeshift.druid.tool.verify.SegmentVerifier;
import io.shapeshift.druid.tool.verify.Status;
import io.shapeshift.druid.tool.verify.VerifiedSegment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.commons.io.FileUtils;
import org.apache.druid.error.DruidException;
import org.apache.druid.utils.CompressionUtils;

/** Converts all segments below a path: all of them, or none. */
public final class Conversion {
  private static final String INDEX_ZIP = "index.zip";

  private final RowConverter converter;
  private final boolean zip;

  /**
   * Makes a conversion.
   *
   * @param encodings how the rows of each type are stored then
   * @param zip       whether segments become zip files, each in its directory
   */
  public Conversion(Map<EncodedType, RowEncoding> encodings, boolean zip) {
    this.converter = new RowConverter(encodings);
    this.zip = zip;
  }

  /**
   * Makes a conversion to segments of one encoding.
   *
   * @throws IllegalArgumentException if dictionary ids cannot be stored so
   */
  public Conversion(RowEncoding encoding, boolean zip) {
    this(Maps.asMap(EnumSet.allOf(EncodedType.class), encoding::of), zip);
    if (encoding.isShapeShifting() && !encoding.supports(new RowValues.Ids(new int[0], 0))) {
      throw new IllegalArgumentException(encoding.name() + " is no encoding of dictionary ids");
    }
  }

  /**
   * Converts what is at a path.
   *
   * @param path      a segment or a folder of segments
   * @param locations the segments at or below it
   * @param out       what is to become of it: a zip file of one segment if its name ends so, a directory otherwise;
   *                  does not exist, or is an empty directory
   * @return what became of each segment
   * @throws ToolException if a segment cannot be read, is damaged, or there is no room; then nothing is left behind
   */
  public List<SegmentConversion> run(Path path, List<SegmentLocation> locations, Path out) {
    checkOut(path, locations, out);
    final List<SegmentConversion> conversions = new ArrayList<>();
    try (TemporaryDirectory temporary = TemporaryDirectory.beside(out)) {
      final Path staged = temporary.path().resolve("out");
      try {
        for (SegmentLocation location : locations) {
          final Path relative = relative(path, location.path(), out);
          final Path target = staged.resolve(relative);
          Files.createDirectories(target.getParent());
          conversions.add(
              isZipped(out)
              ? convertToZip(location, target, out.resolve(relative), temporary.path().resolve("segment"))
              : convert(location, target, out.resolve(relative))
          );
        }
        temporary.publish(staged, out);
      } catch (IOException | UncheckedIOException | DruidException e) {
        throw new ToolException(out.toString(), "it cannot be written: " + e.getMessage(), "Nothing is left of it", e);
      }
    }
    return conversions;
  }

  private static void checkOut(Path path, List<SegmentLocation> locations, Path out) {
    try {
      if (isZip(out) && Files.exists(out)) {
        throw new ToolException(out.toString(), "it exists already", "Name a file that does not");
      }
      if (!TemporaryDirectory.isFree(out)) {
        throw new ToolException(out.toString(), "it exists already", "Name one that does not, or an empty directory");
      }
    } catch (IOException e) {
      throw new ToolException(out.toString(), "it cannot be listed: " + e.getMessage(), "", e);
    }
    final Path real = real(out);
    if (Stream.concat(Stream.of(path), locations.stream().map(SegmentLocation::path))
              .anyMatch(input -> real.startsWith(real(input)))) {
      throw new ToolException(out.toString(), "it is within " + path, "Inputs are never changed: name another");
    }
  }

  /** A path without links, of which the end need not exist yet. */
  private static Path real(Path path) {
    final Path absolute = path.toAbsolutePath().normalize();
    if (!Files.exists(absolute) && absolute.getParent() != null) {
      return real(absolute.getParent()).resolve(absolute.getFileName());
    }
    try {
      return absolute.toRealPath();
    } catch (IOException e) {
      return absolute;
    }
  }

  /** Where below the target a segment comes to be; empty for the target itself. */
  private Path relative(Path path, Path segment, Path out) {
    if (isZip(out)) {
      return Path.of("");
    }
    final boolean one = segment.equals(path) || !Files.isDirectory(path);
    final Path directory =
        one ? Path.of("") : path.relativize(isZipFile(segment) ? segment.getParent() : segment);
    return zip ? directory.resolve(INDEX_ZIP) : directory;
  }

  private boolean isZipped(Path out) {
    return zip || isZip(out);
  }

  /** Whether a path is that of a zip file by its name. */
  static boolean isZip(Path path) {
    return path.toString().endsWith(".zip");
  }

  private static boolean isZipFile(Path path) {
    return isZip(path) && Files.isRegularFile(path);
  }

  private SegmentConversion convertToZip(SegmentLocation location, Path target, Path out, Path directory)
      throws IOException {
    final SegmentConversion conversion = convert(location, directory, out);
    CompressionUtils.zip(directory.toFile(), target.toFile());
    FileUtils.deleteDirectory(directory.toFile());
    return conversion;
  }

  /**
   * Converts a segment and compares it with what it was.
   *
   * @param target where to write now
   * @param out    where it will be, for the report
   */
  private SegmentConversion convert(SegmentLocation location, Path target, Path out) throws IOException {
    try (Segment segment = location.open()) {
      Files.createDirectories(target);
      final int steps = (int) segment.columns().stream().filter(RowConverter::hasRows).count();
      final List<ColumnConversion> columns;
      try (Progress progress = new Progress(steps)) {
        columns = SegmentRewriter.rewrite(segment, target, converter, progress);
      }
      compare(segment, target);
      return new SegmentConversion(
          location.path().toString(),
          out.toString(),
          segment.version(),
          segment.sizeInBytes(),
          FileUtils.sizeOfDirectory(target.toFile()),
          columns
      );
    }
  }

  /** Reads what was written, and the source again, value by value. */
  private static void compare(Segment segment, Path written) {
    try (Segment converted = Segment.open(written)) {
      final VerifiedSegment compared = SegmentVerifier.compare(segment, converted, column -> true);
      // What has no rows to convert was copied, so that there is no reason for a column not to be compared to its end.
      @Nullable final String difference =
          compared.firstProblem() != null
          ? compared.firstProblem()
          : compared.columns().stream()
              .filter(column -> column.status() == Status.UNCHECKED)
              .map(column -> column.name() + ": " + column.message())
              .findFirst()
              .orElse(null);
      if (difference == null) {
        return;
      }
      @Nullable final String damage = SegmentVerifier.check(segment, column -> true).firstProblem();
      if (damage != null) {
        throw new ToolException(
            segment.path().toString(),
            damage,
            "The segment is damaged: fetch it again from deep storage"
        );
      }
      throw new ToolException(
          segment.path().toString(),
          "read back, the converted segment is another one: " + difference,
          "This is a bug: please report it. Nothing is left of what was written"
      );
    }
  }
}
