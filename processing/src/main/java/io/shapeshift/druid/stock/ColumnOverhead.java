// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

/**
 * Bytes that a column takes besides its chunks.
 *
 * @param head           of any column
 * @param perForm        for each form that its chunks are in
 * @param perChunk       for each chunk
 * @param blocksPerGroup blocks of a group
 * @param perGroup       for each group of blocks
 */
public record ColumnOverhead(int head, int perForm, int perChunk, int blocksPerGroup, int perGroup) {}
