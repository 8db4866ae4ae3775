// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

/**
 * Bytes of a column outside of its chunks.
 *
 * @param head           bytes of the head
 * @param perForm        bytes per form of its chunks
 * @param perChunk       bytes per chunk
 * @param blocksPerGroup number of blocks in a group
 * @param perGroup       bytes per group
 */
public record ColumnOverhead(int head, int perForm, int perChunk, int blocksPerGroup, int perGroup) {}
