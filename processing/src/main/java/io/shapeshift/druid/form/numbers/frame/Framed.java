// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.form.ints.IntChunk;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Numbers of a chunk as ints, with the frame that maps them back to numbers.
 *
 * @param ints       an int for each number, from 0 to 2^31 - 1
 * @param headerSize size of the frame in bytes
 * @param header     appends the frame
 */
public record Framed(IntChunk ints, int headerSize, Consumer<ByteBuffer> header) {}
