// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Segments of earlier releases, which come with Druid's own tests. */
public final class DruidArtifacts {
  private static final List<String> NESTED_V3 = List.of("nested_segment_v3/index.zip");
  private static final List<String> NESTED_V4 = List.of("nested_segment_v4/index.zip");
  private static final List<String> EMPTY_FIELD_NAME = List.of("nested_segment_empty_fieldname_bug/druid.segment");
  private static final List<String> FROM_V8 = List.of(
      "v8SegmentPersistDir/00000.smoosh",
      "v8SegmentPersistDir/meta.smoosh",
      "v8SegmentPersistDir/version.bin"
  );
  private static final List<String> DAMAGED = List.of(
      "v9SegmentPersistDir/segmentWithDamagedFile/00000.smoosh",
      "v9SegmentPersistDir/segmentWithDamagedFile/factory.json",
      "v9SegmentPersistDir/segmentWithDamagedFile/meta.smoosh",
      "v9SegmentPersistDir/segmentWithDamagedFile/version.bin"
  );

  private DruidArtifacts() {}

  /** A zip file of version 9, with nested columns of version 3. */
  public static Path nestedV3(Path folder) {
    return copy(NESTED_V3, folder).resolve("index.zip");
  }

  /** A zip file of version 9, with nested columns of version 4. */
  public static Path nestedV4(Path folder) {
    return copy(NESTED_V4, folder).resolve("index.zip");
  }

  /** A directory of version 10, with a nested column that has a field without a name. */
  public static Path emptyFieldName(Path folder) {
    return copy(EMPTY_FIELD_NAME, folder);
  }

  /** A directory of version 9 that was once converted from version 8: Concise bitmaps, numbers that cannot be null. */
  public static Path fromV8(Path folder) {
    return copy(FROM_V8, folder);
  }

  /** A directory of version 9 with a column that cannot be read. */
  public static Path damaged(Path folder) {
    return copy(DAMAGED, folder);
  }

  private static Path copy(List<String> resources, Path folder) {
    try {
      Files.createDirectories(folder);
      for (String resource : resources) {
        try (InputStream in = DruidArtifacts.class.getResourceAsStream("/" + resource)) {
          Files.copy(in, folder.resolve(resource.substring(resource.lastIndexOf('/') + 1)));
        }
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
