// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import java.util.List;
import org.apache.orc.CompressionKind;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Formats that columns are compared with. */
final class FileFormats {
  static final List<FileFormat> ALL = List.of(
      new ParquetFormat("parquet-java", CompressionCodecName.UNCOMPRESSED),
      new ParquetFormat("parquet-java-snappy", CompressionCodecName.SNAPPY),
      new ParquetFormat("parquet-java-zstd", CompressionCodecName.ZSTD),
      new OrcFormat("orc-java-snappy", CompressionKind.SNAPPY),
      new OrcFormat("orc-java-zstd", CompressionKind.ZSTD)
  );

  private FileFormats() {}
}
