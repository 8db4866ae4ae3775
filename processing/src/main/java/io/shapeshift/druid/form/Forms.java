// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
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
          List.of(RUN_LENGTH),
          Codec.Effort.THOROUGH
      ),
      new CompressedForm(
          CompressedForm.ZSTD_ID,
          Codec.ZSTD,
          List.of(BYTE_PACK, RUN_LENGTH, BYTE_DICTIONARY, SHUFFLE, BITS),
          List.of(),
          Codec.Effort.THOROUGH
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

  /** Forms of ints that are of no use to numbers: others are faster and as small. */
  private static final Set<String> OF_INTS_ONLY = Set.of("unencoded", "rle", "fastpfor");
  private static final Map<NumberType, List<NumberForm>> NUMBERS = new EnumMap<>(NumberType.class);
  private static final Map<NumberType, NumberForm[]> NUMBERS_BY_ID = new EnumMap<>(NumberType.class);

  static {
    for (NumberType type : NumberType.values()) {
      final NumberForm[] byId = new NumberForm[Byte.MAX_VALUE + 1];
      NUMBERS.put(type, numbersOf(type));
      NUMBERS.get(type).forEach(form -> byId[form.id()] = form);
      NUMBERS_BY_ID.put(type, byId);
    }
  }

  private Forms() {}

  private static List<NumberForm> numbersOf(NumberType type) {
    final List<IntForm> ints = INTS.stream()
        .filter(form -> !(form instanceof CompressibleIntForm) || form == BYTE_PACK)
        .filter(form -> !OF_INTS_ONLY.contains(form.name()))
        .toList();
    final List<IntForm> direct = ints.stream().filter(form -> !(form instanceof CodecForm<?, ?>)).toList();
    final List<NumberForm> forms = new ArrayList<>();
    for (Frame frame : Frame.of(type)) {
      direct.forEach(form -> forms.add(new FramedForm(frame, form)));
    }
    forms.add(new RawForm());
    if (type != NumberType.FLOAT) {
      forms.add(new WideForm());
      forms.add(new SplitForm(direct));
    }
    for (Frame frame : Frame.of(type)) {
      ints.stream().filter(CompressedForm.class::isInstance).map(CompressedForm.class::cast)
          .forEach(form -> forms.add(new FramedCodecForm(frame, form.with(Codec.Effort.MODERATE))));
    }
    forms.add(new RawCodecForm(RawCodecForm.LZ4_ID, Codec.LZ4));
    forms.add(new RawCodecForm(RawCodecForm.ZSTD_ID, Codec.ZSTD));
    return List.copyOf(forms);
  }

  /** All forms of numbers of a type. */
  public static List<NumberForm> numbers(NumberType type) {
    return NUMBERS.get(type);
  }

  /** The form of numbers of a type with this id, or null if there is none. */
  @Nullable
  public static NumberForm numberForm(NumberType type, byte id) {
    return id < 0 ? null : NUMBERS_BY_ID.get(type)[id];
  }

  /** The forms of numbers of a type by id. */
  public static Function<Byte, NumberForm> numberForms(NumberType type) {
    final NumberForm[] byId = NUMBERS_BY_ID.get(type);
    return id -> id < 0 ? null : byId[id];
  }

  /** The form of ints with this id, or null if there is none. */
  @Nullable
  public static IntForm intForm(byte id) {
    return id < 0 ? null : INTS_BY_ID[id];
  }
}
