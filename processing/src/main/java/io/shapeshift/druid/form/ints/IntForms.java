// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Decoders;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.ints.added.AddedIntForm;
import io.shapeshift.druid.form.ints.codec.BitsForm;
import io.shapeshift.druid.form.ints.codec.ByteDictionaryForm;
import io.shapeshift.druid.form.ints.codec.CompressedForm;
import io.shapeshift.druid.form.ints.codec.ShuffleForm;
import io.shapeshift.druid.form.ints.constant.ConstantForm;
import io.shapeshift.druid.form.ints.constant.ZeroForm;
import io.shapeshift.druid.form.ints.delta.DeltaForm;
import io.shapeshift.druid.form.ints.dictionary.DictionaryForm;
import io.shapeshift.druid.form.ints.entropy.TansForm;
import io.shapeshift.druid.form.ints.packed.BitPackForm;
import io.shapeshift.druid.form.ints.packed.BytePackForm;
import io.shapeshift.druid.form.ints.packed.RadixForm;
import io.shapeshift.druid.form.ints.packed.UnencodedForm;
import io.shapeshift.druid.form.ints.patched.PatchedForm;
import io.shapeshift.druid.form.ints.runs.RunEndForm;
import io.shapeshift.druid.form.ints.runs.RunLengthForm;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/**
 * Registry of the forms of ints, in the order in which selection tries them. The first form wins a tie, so faster forms
 * come first.
 */
public final class IntForms {
  private static final BytePackForm BYTE_PACK = new BytePackForm();
  private static final RunLengthForm RUN_LENGTH = new RunLengthForm();
  private static final ShuffleForm SHUFFLE = new ShuffleForm();
  private static final ByteDictionaryForm BYTE_DICTIONARY = new ByteDictionaryForm();
  private static final BitsForm BITS = new BitsForm();

  /** All forms of ints. */
  public static final List<IntForm> ALL = List.of(
      // Unbeatable where they apply.
      new ZeroForm(),
      new ConstantForm(),
      // Read in place.
      new BitPackForm(),
      BYTE_PACK,
      new UnencodedForm(),
      new PatchedForm(),
      new DictionaryForm(),
      new RunEndForm(),
      new DeltaForm(),
      // Needs a multiplication where bitpack needs only a shift.
      new RadixForm(),
      // Decoded in blocks of 1,024 values.
      new TansForm(),
      // Decoded completely before the first value is read; the fastest first.
      RUN_LENGTH,
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
      // Used only inside codecs.
      SHUFFLE,
      BYTE_DICTIONARY,
      BITS
  );

  /**
   * Forms by id. An array, because sparse reads look up a form every few values, and a map would take longer than the
   * reads.
   */
  private static final IntForm[] BY_ID = new IntForm[Byte.MAX_VALUE + 1];

  static {
    ALL.forEach(form -> BY_ID[form.id()] = form);
  }

  /** Forms of encodings of other jars, by name; replaced as a whole. */
  private static volatile Map<String, AddedIntForm> added = Map.of();

  /** Decoders of columns of ints. */
  public static final Decoders<IntChunkReader> DECODERS = new Decoders<>() {
    @Nullable
    @Override
    public IntForm apply(Byte id) {
      return byId(id);
    }

    @Nullable
    @Override
    public IntForm added(String name) {
      return IntForms.added(name);
    }
  };

  private IntForms() {}

  /** Returns all forms and those of other jars, in the order in which selection tries them. */
  public static List<IntForm> all() {
    return Stream.concat(ALL.stream(), added.values().stream()).toList();
  }

  /** Returns the form of an encoding of another jar; null if none of that name is installed. */
  @Nullable
  public static IntForm added(String name) {
    return added.get(name);
  }

  /** Replaces the forms of other jars. Only for the one who installs forms of all types. */
  public static void install(Collection<AddedIntForm> forms) {
    final Map<String, AddedIntForm> byName = new TreeMap<>();
    forms.forEach(form -> byName.put(form.name(), form));
    added = byName;
  }

  /** Returns the form that stores ints as stock columns with LZ4 do. */
  public static CompressedForm stock() {
    return (CompressedForm) byId(CompressedForm.LZ4_ID);
  }

  /** Returns the forms for a kind of ints, in the order in which selection tries them. */
  public static List<IntForm> of(IntForm.Use use) {
    return all().stream().filter(form -> form.uses().contains(use)).toList();
  }

  /** Returns the form with an id, or null if the id is unknown. */
  @Nullable
  public static IntForm byId(byte id) {
    return id < 0 ? null : BY_ID[id];
  }
}
