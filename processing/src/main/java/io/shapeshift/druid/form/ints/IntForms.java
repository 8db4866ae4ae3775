// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.ints.codec.BitsForm;
import io.shapeshift.druid.form.ints.codec.ByteDictionaryForm;
import io.shapeshift.druid.form.ints.codec.CompressedForm;
import io.shapeshift.druid.form.ints.codec.FastPforForm;
import io.shapeshift.druid.form.ints.codec.ShuffleForm;
import io.shapeshift.druid.form.ints.constant.ConstantForm;
import io.shapeshift.druid.form.ints.constant.ZeroForm;
import io.shapeshift.druid.form.ints.delta.DeltaForm;
import io.shapeshift.druid.form.ints.dictionary.DictionaryForm;
import io.shapeshift.druid.form.ints.packed.BitPackForm;
import io.shapeshift.druid.form.ints.packed.BytePackForm;
import io.shapeshift.druid.form.ints.packed.RadixForm;
import io.shapeshift.druid.form.ints.packed.UnencodedForm;
import io.shapeshift.druid.form.ints.patched.PatchedForm;
import io.shapeshift.druid.form.ints.runs.RunEndForm;
import io.shapeshift.druid.form.ints.runs.RunLengthForm;
import java.util.List;
import javax.annotation.Nullable;

/**
 * The registry of forms of ints, in the order in which they are asked about a chunk. Of equally good forms the first
 * wins, so faster ones come first.
 */
public final class IntForms {
  private static final BytePackForm BYTE_PACK = new BytePackForm();
  private static final RunLengthForm RUN_LENGTH = new RunLengthForm();
  private static final ShuffleForm SHUFFLE = new ShuffleForm();
  private static final ByteDictionaryForm BYTE_DICTIONARY = new ByteDictionaryForm();
  private static final BitsForm BITS = new BitsForm();

  /** All forms of ints. */
  public static final List<IntForm> ALL = List.of(
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
      // Asks what bitpack takes, and has to multiply where that only shifts.
      new RadixForm(),
      // Decoded whole before the first value is read: by speed.
      RUN_LENGTH,
      new FastPforForm(),
      new CompressedForm(
          CompressedForm.LZ4_ID,
          Codec.LZ4,
          List.of(BYTE_PACK, BYTE_DICTIONARY, SHUFFLE, BITS),
          Codec.Effort.STOCK,
          true
      ),
      new CompressedForm(
          CompressedForm.ZSTD_ID,
          Codec.ZSTD,
          List.of(BYTE_PACK, RUN_LENGTH, BYTE_DICTIONARY, SHUFFLE, BITS),
          Codec.Effort.STOCK,
          false
      ),
      // Of use to codecs only.
      SHUFFLE,
      BYTE_DICTIONARY,
      BITS
  );

  /** By id; sparse reads ask it for each few values, and a map would take longer than reading them. */
  private static final IntForm[] BY_ID = new IntForm[Byte.MAX_VALUE + 1];

  static {
    ALL.forEach(form -> BY_ID[form.id()] = form);
  }

  private IntForms() {}

  /** The form that has ints as Druid's own columns with LZ4 do. */
  public static CompressedForm stock() {
    return (CompressedForm) byId(CompressedForm.LZ4_ID);
  }

  /** The forms that say that they are of use to such ints, in the order in which they are asked. */
  public static List<IntForm> of(IntForm.Use use) {
    return ALL.stream().filter(form -> form.uses().contains(use)).toList();
  }

  /** The form with this id, or null if there is none. */
  @Nullable
  public static IntForm byId(byte id) {
    return id < 0 ? null : BY_ID[id];
  }
}
