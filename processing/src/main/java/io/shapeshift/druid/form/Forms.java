// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.CompressionStrategy;

/**
 * The registry of forms. Their order is that in which they are asked about a chunk: the first of equally good ones
 * wins, so that what reads faster stands further up.
 */
public final class Forms {
  /** Values of the largest int chunk. */
  public static final int MAX_INTS_PER_CHUNK = 1 << 14;
  /** Bytes of the largest payload of a form: as many as Druid's own columns decompress at once. */
  static final int MAX_PAYLOAD_BYTES = MAX_INTS_PER_CHUNK * Integer.BYTES;
  /** Bytes that suffice for a chunk in any form, compressed data that grew included. */
  public static final int MAX_CHUNK_BYTES = MAX_PAYLOAD_BYTES + (1 << 13);

  private static final BytePackForm BYTE_PACK = new BytePackForm();
  private static final RunLengthForm RUN_LENGTH = new RunLengthForm();

  /** All forms of ints. */
  public static final List<IntForm> INTS = List.of(
      // Nothing beats them where they apply.
      new ZeroForm(),
      new ConstantForm(),
      // Read where they lie.
      BYTE_PACK,
      new UnencodedForm(),
      // Decoded whole before the first value is read: by speed.
      RUN_LENGTH,
      new FastPforForm(),
      new CompressedForm(CompressedForm.LZ4_ID, CompressionStrategy.LZ4, BYTE_PACK, RUN_LENGTH),
      new CompressedForm(CompressedForm.ZSTD_ID, CompressionStrategy.ZSTD, BYTE_PACK, RUN_LENGTH)
  );

  private static final Map<Byte, IntForm> INTS_BY_ID =
      INTS.stream().collect(Collectors.toUnmodifiableMap(IntForm::id, Function.identity()));

  private Forms() {}

  /** The form of ints with this id, or null if there is none. */
  @Nullable
  public static IntForm intForm(byte id) {
    return INTS_BY_ID.get(id);
  }
}
