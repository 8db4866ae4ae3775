// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

/**
 * Where a chunk of a shape-shifting column is, and in which form.
 *
 * @param number     of the chunk, counted from 0
 * @param firstBlock number of its first block, counted from 0
 * @param numBlocks  blocks that it holds, 1 or more
 * @param firstValue position in the column of the chunk's first value
 * @param numValues  values in the chunk
 * @param formId     id of its form
 * @param offset     where its bytes start, counted from the first byte of the column's header
 * @param bytes      its size, with the byte that is the form's id
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
