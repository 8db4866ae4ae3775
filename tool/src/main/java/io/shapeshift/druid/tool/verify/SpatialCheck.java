// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import com.google.common.primitives.Floats;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.Place;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.collections.spatial.ImmutableFloatPoint;
import org.apache.druid.collections.spatial.ImmutableNode;
import org.apache.druid.collections.spatial.ImmutableRTree;
import org.apache.druid.collections.spatial.search.RectangularBound;
import org.apache.druid.collections.spatial.search.SearchStrategy;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.incremental.SpatialDimensionRowTransformer;
import org.apache.druid.segment.index.semantic.SpatialIndex;

/** Check that each point of a column's spatial index has exactly the rows whose value has its coordinates. */
final class SpatialCheck {
  private static final BitSet NONE = new BitSet();

  private SpatialCheck() {}

  /**
   * Checks the index, if the column has one.
   *
   * @param values ids, all within the dictionary
   * @throws Damage if the index cannot be read; or that names the first wrong row of a point
   */
  static void check(SegmentColumn column, RowPart part, RowValues values) {
    Damage.reading("the spatial index", () -> {
      @Nullable final SpatialIndex index = IndexCheck.index(column.holder(), SpatialIndex.class);
      if (index != null) {
        compare(points((ImmutableRTree) index.getRTree(), values.rows()), pointsOfRows(column, values), part, values);
      }
      return index;
    });
  }

  private static void compare(
      Map<List<Float>, BitSet> points,
      Map<List<Float>, BitSet> expected,
      RowPart part,
      RowValues values
  ) {
    final Set<List<Float>> all = new LinkedHashSet<>(expected.keySet());
    all.addAll(points.keySet());
    for (List<Float> point : all) {
      final BitSet rows = points.getOrDefault(point, NONE);
      final BitSet different = (BitSet) rows.clone();
      different.xor(expected.getOrDefault(point, NONE));
      if (!different.isEmpty()) {
        final int row = different.nextSetBit(0);
        throw new Damage("row " + row + Place.of(part, values, row) + (rows.get(row)
            ? " is in the spatial index at " + point + ", where it is not"
            : " is at " + point + ", but not in the spatial index"));
      }
    }
  }

  private static Map<List<Float>, BitSet> pointsOfRows(SegmentColumn column, RowValues values) {
    final Indexed<ByteBuffer> texts = column.parts().dictionary().values().get();
    final RowsById rows = new RowsById(values);
    final Map<List<Float>, BitSet> points = new HashMap<>();
    for (int id = 0; id < rows.cardinality(); id++) {
      @Nullable final ByteBuffer text = texts.get(id);
      @Nullable final float[] coordinates =
          SpatialDimensionRowTransformer.decode(StringUtils.fromUtf8Nullable(text == null ? null : text.duplicate()));
      if (coordinates != null) {
        final BitSet ofPoint = points.computeIfAbsent(Floats.asList(coordinates), point -> new BitSet());
        for (int i = rows.start(id); i < rows.end(id); i++) {
          ofPoint.set(rows.row(i));
        }
      }
    }
    return points;
  }

  private static Map<List<Float>, BitSet> points(ImmutableRTree tree, int numRows) {
    final Map<List<Float>, BitSet> points = new HashMap<>();
    final int numDims = ByteBuffer.wrap(tree.toBytes()).getInt(1) & 0x7FFF;
    // The search is only used to reach the root.
    tree.search(
        (SearchStrategy<float[], ImmutableFloatPoint>) (root, bound) -> {
          addPoints(root, tree.size(), numRows, points);
          return List.of();
        },
        new RectangularBound(new float[numDims], new float[numDims])
    );
    return points;
  }

  private static void addPoints(
      ImmutableNode<float[]> root,
      int size,
      int numRows,
      Map<List<Float>, BitSet> points
  ) {
    final Deque<ImmutableNode<float[]>> open = new ArrayDeque<>(List.of(root));
    for (int visited = 0; !open.isEmpty(); visited++) {
      if (visited > size) {
        throw new Damage("the spatial index: it refers to itself");
      }
      final ImmutableNode<float[]> node = open.pop();
      if (node instanceof ImmutableFloatPoint point) {
        final BitSet rows = points.computeIfAbsent(Floats.asList(point.getCoords()), at -> new BitSet());
        IndexCheck.rows(point.getImmutableBitmap(), numRows).forEach(rows::set);
      } else {
        node.getChildren().forEach(open::push);
      }
    }
  }
}
