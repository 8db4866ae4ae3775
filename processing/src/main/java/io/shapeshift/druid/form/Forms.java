// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.util.List;
import javax.annotation.Nullable;

/**
 * The registry of forms. Their order is that in which they are asked about a chunk: the first of equally good ones
 * wins, so that what reads faster stands further up.
 */
public final class Forms {
  /** Bytes of the largest payload of a form: as many as Druid's own columns decompress at once. */
  public static final int MAX_PAYLOAD_BYTES = 1 << 16;
  /** Values of the largest int chunk, if they are compressed from a byte each. */
  public static final int MAX_INTS_PER_CHUNK = MAX_PAYLOAD_BYTES;
  /** Values of the largest int chunk that is read where it lies, or decoded to ints. */
  public static final int MAX_DIRECT_INTS = MAX_PAYLOAD_BYTES / Integer.BYTES;
  /** Bytes that suffice for a chunk in any form, compressed data that grew included. */
  public static final int MAX_CHUNK_BYTES = MAX_PAYLOAD_BYTES + (1 << 13);

  private static final BytePackForm BYTE_PACK = new BytePackForm();
  private static final RunLengthForm RUN_LENGTH = new RunLengthForm();
  private static final ShuffleForm SHUFFLE = new ShuffleForm();
  private static final ByteDictionaryForm BYTE_DICTIONARY = new ByteDictionaryForm();
  private static final BitsForm BITS = new BitsForm();

  /** All forms of ints. */
  public static final List<IntForm> INTS = List.of(
      // Nothing beats them where they apply.
      new ZeroForm(),
      new ConstantForm(),
      // Read where they lie.
      new BitPackForm(),
      BYTE_PACK,
      new UnencodedForm(),
      new PatchedForm(),
      new DictionaryForm(),
      new RunEndForm(),
      new DeltaForm(),
      // Decoded whole before the first value is read: by speed.
      RUN_LENGTH,
      new FastPforForm(),
      new CompressedForm(
          CompressedForm.LZ4_ID,
          Codec.LZ4,
          List.of(BYTE_PACK, BYTE_DICTIONARY, SHUFFLE, BITS),
          List.of(RUN_LENGTH)
      ),
      new CompressedForm(
          CompressedForm.ZSTD_ID,
          Codec.ZSTD,
          List.of(BYTE_PACK, RUN_LENGTH, BYTE_DICTIONARY, SHUFFLE, BITS),
          List.of()
      ),
      // Of use to codecs only.
      SHUFFLE,
      BYTE_DICTIONARY,
      BITS
  );

  /** By id; sparse reads ask it for each few values, and a map would take longer than reading them. */
  private static final IntForm[] INTS_BY_ID = new IntForm[Byte.MAX_VALUE + 1];

  static {
    INTS.forEach(form -> INTS_BY_ID[form.id()] = form);
  }

  private Forms() {}

  /** The form of ints with this id, or null if there is none. */
  @Nullable
  public static IntForm intForm(byte id) {
    return id < 0 ? null : INTS_BY_ID[id];
  }
}
