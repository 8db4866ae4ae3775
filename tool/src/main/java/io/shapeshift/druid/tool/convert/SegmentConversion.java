// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import java.util.List;

/**
 * What became of a segment.
 *
 * @param from        where it is
 * @param to          where the converted one is
 * @param version     9 or 10
 * @param bytesBefore size of all its files
 * @param bytesAfter  size of all files of the converted one, before it is zipped
 * @param columns     its columns of strings and numbers, those of projections as well; all others are copied
 */
public record SegmentConversion(
    String from,
    String to,
    int version,
    long bytesBefore,
    long bytesAfter,
    List<ColumnConversion> columns
) {}
