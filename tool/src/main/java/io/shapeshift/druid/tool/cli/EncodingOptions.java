// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import com.google.common.base.Ascii;
import com.google.common.base.CaseFormat;
import com.google.common.base.Splitter;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Options of all commands that write segments: an encoding strategy for all columns, or for the columns of a type. */
public final class EncodingOptions {
  private static final String SPECIFIC = "STRATEGY[-TARGET[-SIZE]]";

  @Nullable
  @Option(
      names = {"--strategy", "--encoding-strategy"},
      paramLabel = "STRATEGY",
      description = "encoding of all columns: shapeshift, or compression for Druid's own (default: shapeshift)"
  )
  private EncodingStrategy.Strategy strategy;

  @Nullable
  @Option(
      names = "--target",
      paramLabel = "TARGET",
      description = "optimization target: smaller, fastbutsmallish (default) or faster"
  )
  private OptimizationTarget target;

  @Nullable
  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      description = "how many ids or numbers may share a form: large (default, 64 KB), middle (32 KB) or small (16 KB)"
  )
  private BlockSize blockSize;

  private final Map<EncodedType, EncodingStrategy> specific = new EnumMap<>(EncodedType.class);
  private CommandSpec command;

  /** Adds one option per type to the command that these options are mixed into. */
  @Spec(Spec.Target.MIXEE)
  void mixInto(CommandSpec mixee) {
    command = mixee;
    for (EncodedType type : EncodedType.values()) {
      command.addOption(
          OptionSpec.builder("--" + CaseFormat.LOWER_CAMEL.to(CaseFormat.LOWER_HYPHEN, type.property()))
              .paramLabel(SPECIFIC)
              .type(EncodingStrategy.class)
              .converters(new StrategyConverter())
              .description("encoding of " + type.description() + ": compression, shapeshift, shapeshift-TARGET or "
                  + "shapeshift-TARGET-SIZE, such as shapeshift-smaller")
              .getter(new Getter(type))
              .setter(new Setter(type))
              .build()
      );
    }
  }

  /** Parser of a strategy with all its properties. */
  static final class StrategyConverter implements ITypeConverter<EncodingStrategy> {
    @Override
    public EncodingStrategy convert(String value) {
      final List<String> parts = Splitter.on('-').splitToList(value);
      if (value.equalsIgnoreCase(EncodingStrategy.Strategy.COMPRESSION.name())) {
        return EncodingStrategy.COMPRESSION;
      }
      if (parts.get(0).equalsIgnoreCase(EncodingStrategy.Strategy.SHAPESHIFT.name()) && parts.size() <= 3) {
        return EncodingStrategy.shapeShift(
            parts.size() < 2
            ? OptimizationTarget.FASTBUTSMALLISH
            : constant(OptimizationTarget.values(), parts.get(1), "target"),
            parts.size() < 3 ? BlockSize.LARGE : constant(BlockSize.values(), parts.get(2), "block size")
        );
      }
      throw new TypeConversionException("'" + value + "' is not one of compression, shapeshift, shapeshift-TARGET and "
          + "shapeshift-TARGET-BLOCKSIZE");
    }

    private static <E extends Enum<E>> E constant(E[] constants, String name, String what) {
      return Stream.of(constants)
          .filter(each -> each.name().equalsIgnoreCase(name))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException("there is no " + what + " '" + name + "', but "
              + Ascii.toLowerCase(Stream.of(constants).map(Enum::name).collect(Collectors.joining(", ")))));
    }
  }

  /** Whether any of the options is present. */
  public boolean isGiven() {
    return strategy != null || target != null || blockSize != null || !specific.isEmpty();
  }

  /** Getter of a type's option, for picocli. */
  private final class Getter implements IGetter {
    private final EncodedType type;

    Getter(EncodedType type) {
      this.type = type;
    }

    @Nullable
    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <T> T get() {
      return (T) specific.get(type);
    }
  }

  /** Setter of a type's option, for picocli. */
  private final class Setter implements ISetter {
    private final EncodedType type;

    Setter(EncodedType type) {
      this.type = type;
    }

    @Nullable
    @Override
    @SuppressWarnings("unchecked")
    public <T> T set(@Nullable T value) {
      return value == null
             ? (T) specific.remove(type)
             : (T) specific.put(type, (EncodingStrategy) value);
    }
  }

  /** Strategies that the options request, by type. */
  public EncodingStrategies strategies() {
    return new EncodingStrategies(general(), specific);
  }

  private EncodingStrategy general() {
    if (strategy == EncodingStrategy.Strategy.COMPRESSION) {
      if (target != null || blockSize != null) {
        throw new ParameterException(
            command.commandLine(),
            "--target and --block-size have no effect with --strategy compression: leave them out"
        );
      }
      return EncodingStrategy.COMPRESSION;
    }
    return EncodingStrategy.shapeShift(
        target == null ? OptimizationTarget.FASTBUTSMALLISH : target,
        blockSize == null ? BlockSize.LARGE : blockSize
    );
  }
}
