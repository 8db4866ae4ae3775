// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.segment.checksums.ChecksumsException;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.segment.checksums.SegmentChecksums.Damage;
import io.shapeshift.druid.tool.segment.InternalFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.druid.segment.IndexIO;

/** Check of a segment's files against the checksums written with them, if there are any. */
public final class ChecksumCheck {
  /** Maximum number of names in a message. A damaged file may be a whole segment. */
  private static final int MAX_NAMES = 8;

  private ChecksumCheck() {}

  /**
   * Checks an unpacked segment, even if it cannot be opened.
   *
   * @return one finding per range of damaged bytes, with its contents; a single finding if the checksums cannot be
   *     used; empty if all files match, or there are no checksums
   */
  public static List<Finding> run(Path segment) {
    if (!SegmentChecksums.exist(segment)) {
      return List.of();
    }
    try {
      final List<Damage> damage = SegmentChecksums.read(segment).check(segment);
      return damage.stream().map(each -> new Finding(Status.DAMAGED, message(each, damage, segment))).toList();
    } catch (ChecksumsException e) {
      return List.of(new Finding(e.isNewer() ? Status.FAILED : Status.DAMAGED, e.getMessage()));
    } catch (IOException e) {
      return List.of(new Finding(Status.FAILED, "its checksums cannot be compared: " + e));
    }
  }

  private static String message(Damage damage, List<Damage> all, Path segment) {
    if (damage.from() == damage.to()) {
      return "file " + damage.file() + " " + damage.found();
    }
    return String.format(
        Locale.ROOT,
        "file %s, bytes %d to %d: it %s%s",
        damage.file(),
        damage.from(),
        damage.to() - 1,
        damage.found(),
        contents(damage, all, segment)
    );
  }

  /** Contents of a damaged range, unless the file that lists them is damaged itself. */
  private static String contents(Damage damage, List<Damage> all, Path segment) {
    if (all.stream().anyMatch(each -> each.file().equals(InternalFile.META_FILE))) {
      return "";
    }
    final List<InternalFile> files;
    try {
      files = InternalFile.of(segment).stream().filter(each -> each.file().equals(damage.file())).toList();
    } catch (IOException | RuntimeException e) {
      return damage.file().equals(IndexIO.V10_FILE_NAME) ? ", and its metadata cannot be read: " + e.getMessage() : "";
    }
    final List<InternalFile> there = files.stream()
        .filter(each -> each.start() < damage.to() && each.end() > damage.from())
        .toList();
    final String metadata =
        damage.file().equals(IndexIO.V10_FILE_NAME)
            && files.stream().allMatch(each -> each.start() > damage.from())
        ? "the metadata, "
        : "";
    final String names = there.stream().limit(MAX_NAMES).map(each -> within(each, damage))
                              .collect(Collectors.joining(", "));
    final String more = there.size() <= MAX_NAMES ? "" : " and " + (there.size() - MAX_NAMES) + " more";
    return there.isEmpty() && metadata.isEmpty() ? "" : ". There are " + metadata + names + more;
  }

  /** Name of an internal file and its damaged bytes, counted from its start. */
  private static String within(InternalFile file, Damage damage) {
    final long from = Math.max(file.start(), damage.from()) - file.start();
    final long to = Math.min(file.end(), damage.to()) - file.start();
    return from == 0 && to == file.end() - file.start()
           ? "all of " + file.name()
           : String.format(Locale.ROOT, "bytes %d to %d of %s", from, to - 1, file.name());
  }
}
