// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.form.ints.IntChunk;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Numbers of a chunk as ints, and the frame that turns these back into numbers.
 *
 * @param ints       an int for each number, from 0 to 2^31 - 1
 * @param headerSize bytes that the frame takes before the ints
 * @param header     appends these bytes
 */
public record Framed(IntChunk ints, int headerSize, Consumer<ByteBuffer> header) {}
