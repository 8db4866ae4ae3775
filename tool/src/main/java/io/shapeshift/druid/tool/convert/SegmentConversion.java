// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import java.util.List;

/**
 * Result of converting a segment.
 *
 * @param from        path of the source
 * @param to          path of the converted segment
 * @param version     segment version, 9 or 10
 * @param bytesBefore total size of the source's files
 * @param bytesAfter  total size of the converted files, before zipping
 * @param columns     columns of strings and numbers, including those of projections; all other columns are copied
 */
public record SegmentConversion(
    String from,
    String to,
    int version,
    long bytesBefore,
    long bytesAfter,
    List<ColumnConversion> columns
) {}
