// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.ints.CompressedForm;
import io.shapeshift.druid.form.ints.CompressibleIntForm;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The registry of forms of numbers, in the order in which they are asked about a chunk. */
public final class NumberForms {
  /** Forms of ints that are of no use to numbers: others are faster and as small. */
  private static final Set<String> OF_INTS_ONLY = Set.of("unencoded", "rle", "fastpfor");
  private static final Map<NumberType, List<NumberForm>> ALL = new EnumMap<>(NumberType.class);
  private static final Map<NumberType, NumberForm[]> BY_ID = new EnumMap<>(NumberType.class);

  static {
    for (NumberType type : NumberType.values()) {
      final NumberForm[] byId = new NumberForm[Byte.MAX_VALUE + 1];
      ALL.put(type, numbersOf(type));
      ALL.get(type).forEach(form -> byId[form.id()] = form);
      BY_ID.put(type, byId);
    }
  }

  private NumberForms() {}

  private static List<NumberForm> numbersOf(NumberType type) {
    final List<IntForm> ints = IntForms.ALL.stream()
        .filter(form -> !(form instanceof CompressibleIntForm) || form == IntForms.BYTE_PACK)
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
  public static List<NumberForm> of(NumberType type) {
    return ALL.get(type);
  }

  /** The forms of numbers of a type by id. */
  public static Function<Byte, NumberForm> byId(NumberType type) {
    final NumberForm[] byId = BY_ID.get(type);
    return id -> id < 0 ? null : byId[id];
  }
}
