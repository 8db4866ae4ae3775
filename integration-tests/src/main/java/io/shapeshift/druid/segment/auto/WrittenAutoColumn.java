// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import java.util.List;
import org.apache.druid.segment.serde.NestedCommonFormatColumnPartSerde;

/**
 * Describes one of our columns of type {@code auto}. The class is in this package because it calls package-private
 * methods.
 */
public final class WrittenAutoColumn {
  private WrittenAutoColumn() {}

  /** Druid's part, which ours extends. */
  public static NestedCommonFormatColumnPartSerde stock(ShapeShiftAutoColumnPartSerde part) {
    return part.getStock();
  }

  /** Names of the shape-shifting files, in the order of the format. */
  public static List<String> files(ShapeShiftAutoColumnPartSerde part) {
    return part.getFiles().stream().map(Enum::name).toList();
  }
}
