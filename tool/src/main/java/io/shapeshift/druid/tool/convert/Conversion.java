// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import static com.google.common.io.Files.asByteSource;

import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import com.google.common.collect.Streams;
import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.cli.Reason;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import io.shapeshift.druid.tool.verify.ChecksumCheck;
import io.shapeshift.druid.tool.verify.Finding;
import io.shapeshift.druid.tool.verify.SegmentVerifier;
import io.shapeshift.druid.tool.verify.Status;
import io.shapeshift.druid.tool.verify.VerifiedSegment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.commons.io.FileUtils;
import org.apache.druid.error.DruidException;
import org.apache.druid.utils.CompressionUtils;

/** Conversion of all segments below a path. Converts all of them, or none. */
public final class Conversion {
  private final TargetEncodings encodings;
  private final boolean zip;
  private final long maxFileSize;
  /** Names of the columns of all segments so far. */
  private final Set<String> columns = new HashSet<>();

  /**
   * Creates a conversion.
   *
   * @param zip whether to write segments as zip files, each in its directory
   */
  public Conversion(TargetEncodings encodings, boolean zip) {
    this(encodings, zip, Integer.MAX_VALUE);
  }

  /** Creates a conversion of all columns to the same encodings, by type. */
  public Conversion(Map<EncodedType, RowEncoding> encodings, boolean zip) {
    this(encodings, zip, Integer.MAX_VALUE);
  }

  /** Creates a conversion with a limit of a column's file other than 2 GiB, for tests. */
  Conversion(Map<EncodedType, RowEncoding> encodings, boolean zip, long maxFileSize) {
    this(TargetEncodings.of(encodings), zip, maxFileSize);
  }

  private Conversion(TargetEncodings encodings, boolean zip, long maxFileSize) {
    this.encodings = encodings;
    this.zip = zip;
    this.maxFileSize = maxFileSize;
  }

  /**
   * Creates a conversion of all types to one encoding.
   *
   * @throws IllegalArgumentException if dictionary ids cannot have this encoding
   */
  public Conversion(RowEncoding encoding, boolean zip) {
    this(Maps.asMap(EnumSet.allOf(EncodedType.class), encoding::of), zip);
    if (encoding.isShapeShifting() && !encoding.supports(new RowValues.Ids(new int[0], 0))) {
      throw new IllegalArgumentException(encoding.name() + " is no encoding of dictionary ids");
    }
  }

  /**
   * Converts the segments at a path.
   *
   * @param path      a segment or a folder of segments
   * @param locations segments at or below the path
   * @param out       target: a zip file of one segment if its name ends in {@code .zip}, otherwise a directory. Must
   *     not exist, or must be an empty directory
   * @return result of each segment
   * @throws ToolException if a segment cannot be read or is damaged, two segments would have the same target, or the
   *     disk is full; nothing is then left at {@code out}
   */
  public List<SegmentConversion> run(Path path, List<SegmentLocation> locations, Path out) {
    checkOut(path, locations, out);
    final Map<SegmentLocation, Path> targets = Targets.of(path, locations, out, zip);
    final List<SegmentConversion> conversions = new ArrayList<>();
    final Map<Path, Map<Path, HashCode>> compared = new LinkedHashMap<>();
    try (TemporaryDirectory temporary = TemporaryDirectory.beside(out)) {
      final Path staged = temporary.path().resolve(isZip(out) ? "out.zip" : "out");
      try {
        for (Map.Entry<SegmentLocation, Path> each : targets.entrySet()) {
          final Path target = staged.resolve(each.getValue());
          final Path to = out.resolve(each.getValue());
          conversions.add(convert(each.getKey(), target, to, temporary.path().resolve("segment")));
          compared.put(to, hashes(target));
        }
        temporary.publish(staged, out);
        requireUnchanged(compared, out);
      } catch (IOException | UncheckedIOException | DruidException e) {
        throw new ToolException(out.toString(), "it cannot be written: " + e.getMessage(), "Nothing is left of it", e);
      }
    }
    return conversions;
  }

  /** Names with an entry of their own in the encodings that no column of the converted segments has. */
  Set<String> entriesWithoutColumn() {
    return Sets.difference(encodings.named(), columns);
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
      throw new ToolException(out.toString(), "it cannot be listed: " + Reason.of(e), "", e);
    }
    TemporaryDirectory.requireReplaceable(out);
    final Path real = real(out);
    // A folder above a segment may be a symbolic link to another place.
    final Stream<Path> folders = locations.stream().map(SegmentLocation::path)
        .flatMap(input -> Stream.iterate(input.getParent(), Objects::nonNull, Path::getParent)
            .takeWhile(folder -> folder.startsWith(path)));
    if (Streams.concat(Stream.of(path), locations.stream().map(SegmentLocation::path), folders)
            .anyMatch(input -> real.startsWith(real(input)))) {
      throw new ToolException(out.toString(), "it is within " + path, "Inputs are never changed: name another");
    }
  }

  /** Path with symbolic links resolved. The last names of the path need not exist yet. */
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

  /** Whether a path has the name of a zip file. */
  static boolean isZip(Path path) {
    return path.toString().endsWith(".zip");
  }

  /**
   * Converts a segment and compares the result with the source.
   *
   * @param target    temporary target
   * @param out       final target, for the report
   * @param directory directory for files to be zipped; empty before and after
   */
  private SegmentConversion convert(SegmentLocation location, Path target, Path out, Path directory)
      throws IOException {
    final boolean zipped = zip || isZip(out);
    final Path files = zipped ? directory : target;
    try (Segment segment = location.open()) {
      requireUndamaged(segment);
      segment.columns().forEach(column -> columns.add(column.name()));
      Files.createDirectories(target.getParent());
      Files.createDirectories(files);
      final int steps = (int) segment.columns().stream().filter(RowConverter::hasRows).count();
      final List<ColumnConversion> columns;
      try (Progress progress = new Progress(steps)) {
        columns = SegmentRewriter.rewrite(segment, files, encodings, maxFileSize, progress);
      }
      final long size = FileUtils.sizeOfDirectory(files.toFile());
      if (zipped) {
        CompressionUtils.zip(files.toFile(), target.toFile());
        FileUtils.deleteDirectory(files.toFile());
      }
      compare(segment, new SegmentLocation(target));
      return new SegmentConversion(
          location.path().toString(),
          out.toString(),
          segment.version(),
          segment.sizeInBytes(),
          size,
          columns
      );
    }
  }

  /** Rejects a damaged segment: its conversion would get valid checksums. */
  private static void requireUndamaged(Segment segment) {
    requireNone(segment, ChecksumCheck.run(segment.directory()).stream());
  }

  /** Rejects a segment with a problem, or with a part that could not be checked. */
  private static void requireNone(Segment segment, Stream<Finding> problems) {
    problems.findFirst().ifPresent(problem -> {
      throw new ToolException(
          segment.path().toString(),
          problem.message(),
          problem.status() == Status.DAMAGED ? "The segment is damaged: fetch it again from deep storage" : ""
      );
    });
  }

  /** Hash of each file at a path, to detect changes. */
  static Map<Path, HashCode> hashes(Path path) throws IOException {
    final Map<Path, HashCode> hashes = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(path)) {
      for (Path file : paths.filter(Files::isRegularFile).toList()) {
        hashes.put(path.relativize(file), asByteSource(file.toFile()).hash(Hashing.murmur3_128()));
      }
    }
    return hashes;
  }

  /**
   * Reads all moved files again at their final place and compares their hashes.
   *
   * @param compared file hashes of each segment at the time of its comparison with the source, by target
   * @param out      target directory or file. It is never deleted, because other processes may have added files
   * @throws ToolException if a file of a segment is missing or changed
   */
  static void requireUnchanged(Map<Path, Map<Path, HashCode>> compared, Path out) {
    for (Map.Entry<Path, Map<Path, HashCode>> segment : compared.entrySet()) {
      @Nullable Exception unread = null;
      try {
        if (hashes(segment.getKey()).entrySet().containsAll(segment.getValue().entrySet())) {
          continue;
        }
      } catch (IOException | UncheckedIOException e) {
        unread = e;
      }
      throw new ToolException(
          segment.getKey().toString(),
          "after it was moved here, it is not what was written any more" + (unread == null ? "" : ": " + unread),
          "Another process may write here, or the disk may be failing. Do not use it: look what else is in " + out
              + ", and delete it by hand",
          unread
      );
    }
  }

  /** Reads the result and the source, and compares them value by value. */
  private static void compare(Segment segment, SegmentLocation written) {
    try (Segment converted = written.open()) {
      final VerifiedSegment compared = SegmentVerifier.compareCopy(segment, converted)
          .behind(ChecksumCheck.run(converted.directory()));
      // Columns without rows to convert were copied, so there is no reason why any column should not be compared
      // completely.
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
      requireNone(segment, compared.allProblems().filter(problem -> problem.status() == Status.FAILED));
      requireNone(segment, SegmentVerifier.check(segment, column -> true).allProblems());
      throw new ToolException(
          segment.path().toString(),
          "read back, the converted segment is another one: " + difference,
          "This is a bug: please report it. Nothing is left of what was written"
      );
    }
  }
}
