// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import java.util.List;
import org.apache.druid.segment.serde.NestedCommonFormatColumnPartSerde;

/** Tells what a column of type {@code auto} of ours has. It is in this package because the part tells only its own. */
public final class WrittenAutoColumn {
  private WrittenAutoColumn() {}

  /** Druid's part, to which ours is the difference. */
  public static NestedCommonFormatColumnPartSerde stock(ShapeShiftAutoColumnPartSerde part) {
    return part.getStock();
  }

  /** The names of what shape-shifts, in the order in which the format lists them. */
  public static List<String> files(ShapeShiftAutoColumnPartSerde part) {
    return part.getFiles().stream().map(Enum::name).toList();
  }
}
