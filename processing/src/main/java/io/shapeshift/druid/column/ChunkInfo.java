// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

/**
 * Position and form of a chunk in a shape-shifting column.
 *
 * @param number     number of the chunk, counted from 0
 * @param firstBlock number of its first block, counted from 0
 * @param numBlocks  number of blocks in the chunk, 1 or more
 * @param firstValue position in the column of the chunk's first value
 * @param numValues  number of values in the chunk
 * @param formId     id of the chunk's form
 * @param offset     offset of the chunk, in bytes from the start of the column's header
 * @param bytes      size of the chunk, including the form id
 */
public record ChunkInfo(
    int number,
    int firstBlock,
    int numBlocks,
    int firstValue,
    int numValues,
    byte formId,
    int offset,
    int bytes
) {}
