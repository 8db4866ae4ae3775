// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.sketches;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.druid.query.aggregation.Aggregator;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.BufferAggregator;
import org.apache.druid.query.aggregation.VectorAggregator;
import org.apache.druid.segment.BaseObjectColumnValueSelector;
import org.apache.druid.segment.ColumnInspector;
import org.apache.druid.segment.ColumnSelectorFactory;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.vector.VectorColumnSelectorFactory;
import org.apache.druid.segment.vector.VectorObjectSelector;

/** Aggregator of a sketch of a column's numbers, or of its sketches. Unions are on the heap. */
final class SketchAggregatorFactory extends AggregatorFactory {
  private final String name;
  private final String column;
  private final SketchKind kind;

  SketchAggregatorFactory(String name, String column, SketchKind kind) {
    this.name = name;
    this.column = column;
    this.kind = kind;
  }

  private static void add(SketchKind.Union union, @Nullable Object value) {
    if (value instanceof Number number) {
      union.add(number.doubleValue());
    } else if (value != null) {
      union.merge(value);
    }
  }

  @Override
  public Aggregator factorize(ColumnSelectorFactory columns) {
    final BaseObjectColumnValueSelector<?> selector = columns.makeColumnValueSelector(column);
    final SketchKind.Union union = kind.union();
    return new Aggregator() {
      @Override
      public void aggregate() {
        add(union, selector.getObject());
      }

      @Override
      public Object get() {
        return union.sketch();
      }

      @Override
      public float getFloat() {
        throw new UnsupportedOperationException();
      }

      @Override
      public long getLong() {
        throw new UnsupportedOperationException();
      }

      @Override
      public void close() {}
    };
  }

  /** Unions on the heap; a buffer has the number of each. */
  @SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"}) // Methods of the interfaces that subclasses implement.
  private static class Unions {
    private final SketchKind kind;
    private final List<SketchKind.Union> all = new ArrayList<>();

    Unions(SketchKind kind) {
      this.kind = kind;
    }

    public void init(ByteBuffer buffer, int position) {
      buffer.putInt(position, all.size());
      all.add(kind.union());
    }

    SketchKind.Union at(ByteBuffer buffer, int position) {
      return all.get(buffer.getInt(position));
    }

    public Object get(ByteBuffer buffer, int position) {
      return at(buffer, position).sketch();
    }

    public void close() {
      all.clear();
    }
  }

  private static final class OfRows extends Unions implements BufferAggregator {
    private final BaseObjectColumnValueSelector<?> selector;

    OfRows(SketchKind kind, BaseObjectColumnValueSelector<?> selector) {
      super(kind);
      this.selector = selector;
    }

    @Override
    public void aggregate(ByteBuffer buffer, int position) {
      add(at(buffer, position), selector.getObject());
    }

    @Override
    public float getFloat(ByteBuffer buffer, int position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long getLong(ByteBuffer buffer, int position) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class OfVectors extends Unions implements VectorAggregator {
    private final VectorObjectSelector selector;

    OfVectors(SketchKind kind, VectorObjectSelector selector) {
      super(kind);
      this.selector = selector;
    }

    @Override
    public void aggregate(ByteBuffer buffer, int position, int startRow, int endRow) {
      final Object[] values = selector.getObjectVector();
      final SketchKind.Union union = at(buffer, position);
      for (int row = startRow; row < endRow; row++) {
        add(union, values[row]);
      }
    }

    @Override
    public void aggregate(ByteBuffer buffer, int numRows, int[] positions, @Nullable int[] rows, int positionOffset) {
      final Object[] values = selector.getObjectVector();
      for (int i = 0; i < numRows; i++) {
        add(at(buffer, positions[i] + positionOffset), values[rows == null ? i : rows[i]]);
      }
    }
  }

  @Override
  public BufferAggregator factorizeBuffered(ColumnSelectorFactory columns) {
    return new OfRows(kind, columns.makeColumnValueSelector(column));
  }

  @Override
  public boolean canVectorize(ColumnInspector columns) {
    return true;
  }

  @Override
  public VectorAggregator factorizeVector(VectorColumnSelectorFactory columns) {
    return new OfVectors(kind, columns.makeObjectSelector(column));
  }

  @Override
  public Comparator<Object> getComparator() {
    return Comparator.comparingDouble(kind::estimate);
  }

  @Nullable
  @Override
  public Object combine(@Nullable Object one, @Nullable Object other) {
    final SketchKind.Union union = kind.union();
    add(union, one);
    add(union, other);
    return union.sketch();
  }

  @Override
  public AggregatorFactory getCombiningFactory() {
    return withName(name, name);
  }

  @Override
  public AggregatorFactory withName(String newName) {
    return withName(newName, column);
  }

  private AggregatorFactory withName(String newName, String newColumn) {
    return new SketchAggregatorFactory(newName, newColumn, kind);
  }

  @Override
  public Object deserialize(Object object) {
    return object;
  }

  /** Returns a number, which can be compared. */
  @Nullable
  @Override
  public Object finalizeComputation(@Nullable Object sketch) {
    return sketch == null ? null : kind.estimate(sketch);
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public List<String> requiredFields() {
    return List.of(column);
  }

  @Override
  public byte[] getCacheKey() {
    throw new UnsupportedOperationException();
  }

  @Override
  public ColumnType getIntermediateType() {
    return ColumnType.ofComplex(kind.typeName());
  }

  @Override
  public ColumnType getResultType() {
    return ColumnType.DOUBLE;
  }

  @Override
  public int getMaxIntermediateSize() {
    return Integer.BYTES;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SketchAggregatorFactory other
        && name.equals(other.name)
        && column.equals(other.column)
        && kind == other.kind;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, column, kind);
  }
}
