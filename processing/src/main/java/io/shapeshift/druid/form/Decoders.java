// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.util.function.Function;
import javax.annotation.Nullable;

/**
 * Decoders of a type's chunks: by id, null if it is unknown; and those of other jars by name.
 *
 * @param <R> type of the reader that they transform
 */
@FunctionalInterface
public interface Decoders<R> extends Function<Byte, FormDecoder<R>> {
  /** Returns the decoder of an encoding of another jar; null if none of that name is installed. */
  @Nullable
  default FormDecoder<R> added(String name) {
    return null;
  }
}
