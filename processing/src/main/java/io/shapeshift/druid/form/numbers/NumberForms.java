// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Decoders;
import io.shapeshift.druid.form.FormDecoder;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.ints.codec.CompressedForm;
import io.shapeshift.druid.form.numbers.added.AddedNumberForm;
import io.shapeshift.druid.form.numbers.codec.FramedCodecForm;
import io.shapeshift.druid.form.numbers.codec.RawCodecForm;
import io.shapeshift.druid.form.numbers.frame.DecimalFrame;
import io.shapeshift.druid.form.numbers.frame.DeltaFrame;
import io.shapeshift.druid.form.numbers.frame.DictionaryFrame;
import io.shapeshift.druid.form.numbers.frame.Frame;
import io.shapeshift.druid.form.numbers.frame.Framed;
import io.shapeshift.druid.form.numbers.frame.FramedForm;
import io.shapeshift.druid.form.numbers.frame.LinearFrame;
import io.shapeshift.druid.form.numbers.raw.RawForm;
import io.shapeshift.druid.form.numbers.raw.SplitForm;
import io.shapeshift.druid.form.numbers.raw.WideForm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.annotation.Nullable;

/**
 * Registry of the forms of numbers. A {@link Frame} together with a form of ints, its child, is one form. Selection
 * tries each frame with each form of ints that suits it. Readers follow the ids of the frame and the child.
 */
public final class NumberForms {
  public static final Frame DECIMAL = new DecimalFrame();
  public static final Frame LINEAR = new LinearFrame();
  public static final Frame DELTA = new DeltaFrame();
  public static final Frame DICTIONARY = new DictionaryFrame(List.of(DECIMAL, LINEAR));

  /** All frames, in the order in which selection tries them. The first wins a tie, so faster frames come first. */
  static final List<Frame> FRAMES = List.of(DECIMAL, LINEAR, DELTA, DICTIONARY);

  private static final Map<NumberType, Decoders<NumberChunkReader>> BY_ID = new EnumMap<>(NumberType.class);

  /** Forms of encodings of other jars, by name; replaced as a whole. */
  private static volatile Map<String, AddedNumberForm> added = Map.of();
  /** All forms by type; replaced as a whole. */
  private static volatile Map<NumberType, List<NumberForm>> all = forms();

  static {
    for (NumberType type : NumberType.values()) {
      BY_ID.put(type, new DecodersOf(type));
    }
  }

  private NumberForms() {}

  /**
   * Replaces the forms of other jars, and pairs frames with the forms of ints anew. Only for the one who installs forms
   * of all types.
   */
  public static void install(Collection<AddedNumberForm> forms) {
    final Map<String, AddedNumberForm> byName = new TreeMap<>();
    forms.forEach(form -> byName.put(form.name(), form));
    added = byName;
    all = forms();
  }

  private static Map<NumberType, List<NumberForm>> forms() {
    final Map<NumberType, List<NumberForm>> forms = new EnumMap<>(NumberType.class);
    for (NumberType type : NumberType.values()) {
      forms.put(type, forms(type, framesOf(type)));
    }
    return forms;
  }

  private static List<Frame> framesOf(NumberType type) {
    return FRAMES.stream().filter(frame -> frame.suits(type)).toList();
  }

  /** Returns all forms for a type, in the order in which selection tries them. */
  private static List<NumberForm> forms(NumberType type, List<Frame> frames) {
    final List<IntForm> ints = IntForms.all().stream().filter(form -> !(form instanceof CodecForm<?, ?>)).toList();
    final List<NumberForm> forms = new ArrayList<>();
    for (Frame frame : frames) {
      ints.stream().filter(form -> form.uses().contains(frame.use()))
          .forEach(form -> forms.add(new FramedForm(frame, form)));
    }
    forms.add(new RawForm());
    if (type != NumberType.FLOAT) {
      forms.add(new WideForm(LINEAR));
    }
    if (type == NumberType.DOUBLE) {
      // A form of another jar would need a name in the header whichever child is chosen.
      final List<IntForm> fast = ints.stream()
          .filter(form -> form.added() == null)
          .filter(form -> form.uses().contains(IntForm.Use.NUMBERS))
          .filter(form -> form.cost().under(OptimizationTarget.FASTER).factor() != DecodeCost.NEVER)
          .toList();
      forms.add(new SplitForm(frames, fast));
    }
    added.values().stream().filter(form -> form.suits(type)).forEach(forms::add);
    for (Frame frame : frames) {
      IntForms.ALL.stream().filter(CompressedForm.class::isInstance).map(CompressedForm.class::cast)
          .forEach(form -> forms.add(new FramedCodecForm(frame, form.forNumbers())));
    }
    final List<Frame> proportional = frames.stream().filter(Frame::isProportional).toList();
    forms.add(new RawCodecForm(RawCodecForm.LZ4_ID, Codec.LZ4, proportional));
    forms.add(new RawCodecForm(RawCodecForm.ZSTD_ID, Codec.ZSTD, proportional));
    return List.copyOf(forms);
  }

  /** Decoders of a type; a frame decodes the chunks of all forms with this frame. */
  private static final class DecodersOf implements Decoders<NumberChunkReader> {
    /** An array, because sparse reads look up a decoder every few values; a map would take longer than the reads. */
    private final FormDecoder<NumberChunkReader>[] byId;

    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no generic arrays
    DecodersOf(NumberType type) {
      final FormDecoder<NumberChunkReader>[] decoders = new FormDecoder[Byte.MAX_VALUE + 1];
      of(type).stream().filter(form -> form.added() == null).forEach(form -> decoders[form.id()] = form);
      framesOf(type).forEach(frame -> decoders[frame.id()] = frame);
      byId = decoders;
    }

    @Nullable
    @Override
    public FormDecoder<NumberChunkReader> apply(Byte id) {
      return id < 0 ? null : byId[id];
    }

    @Nullable
    @Override
    public FormDecoder<NumberChunkReader> added(String name) {
      return NumberForms.added.get(name);
    }
  }

  /** Returns the form that stores the numbers of a type as stock columns with LZ4 do. */
  public static RawCodecForm stock(NumberType type) {
    return of(type).stream()
        .filter(form -> form.id() == RawCodecForm.LZ4_ID)
        .map(RawCodecForm.class::cast)
        .findFirst()
        .orElseThrow();
  }

  /** Creates a reader for a type. */
  public static NumberChunkReader reader(NumberType type) {
    return switch (type) {
      case LONG -> new LongChunkReader();
      case DOUBLE -> new DoubleChunkReader();
      case FLOAT -> new FloatChunkReader();
    };
  }

  /** Returns all forms for a type. */
  public static List<NumberForm> of(NumberType type) {
    return all.get(type);
  }

  /** Returns the decoders for a type, by form id; null for unknown ids. */
  public static Decoders<NumberChunkReader> byId(NumberType type) {
    return BY_ID.get(type);
  }

  /**
   * Returns whether parts of a chunk differ so much from the whole that other forms may suit them better.
   *
   * @param length number of numbers in each part
   */
  public static boolean varies(NumberChunk chunk, int length) {
    for (Frame frame : FRAMES) {
      @Nullable final Framed framed =
          frame.isProportional() && frame.suits(chunk.type()) ? frame.framed(chunk) : null;
      if (framed != null) {
        return framed.ints().varies(length);
      }
    }
    // Parts may fit a frame even if the whole chunk does not.
    return true;
  }
}
