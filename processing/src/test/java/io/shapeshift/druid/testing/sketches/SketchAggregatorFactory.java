// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing.sketches;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.druid.query.aggregation.AggregateCombiner;
import org.apache.druid.query.aggregation.Aggregator;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.BufferAggregator;
import org.apache.druid.query.aggregation.ObjectAggregateCombiner;
import org.apache.druid.segment.BaseObjectColumnValueSelector;
import org.apache.druid.segment.ColumnSelectorFactory;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.column.ColumnType;

/** Aggregator of a sketch of a column's numbers, or of its sketches. */
@SuppressWarnings("rawtypes") // same as Druid's signatures
public final class SketchAggregatorFactory extends AggregatorFactory {
  private final String name;
  private final String fieldName;
  private final Sketch kind;

  /** Creates an aggregator. */
  @JsonCreator
  public SketchAggregatorFactory(
      @JsonProperty("name") String name,
      @JsonProperty("fieldName") String fieldName,
      @JsonProperty("kind") Sketch kind
  ) {
    this.name = name;
    this.fieldName = fieldName;
    this.kind = kind;
  }

  /** Module that lets Jackson read it. */
  public static SimpleModule module() {
    final SimpleModule module = new SimpleModule("sketches");
    module.registerSubtypes(new NamedType(SketchAggregatorFactory.class, "testSketch"));
    return module;
  }

  /** Adds numbers and sketches of a column. */
  private static final class SketchAggregator implements Aggregator {
    private final BaseObjectColumnValueSelector<?> selector;
    private final Sketch.Accumulator accumulator;
    private boolean isEmpty = true;

    private SketchAggregator(Sketch kind, BaseObjectColumnValueSelector<?> selector) {
      this.selector = selector;
      this.accumulator = kind.accumulator();
    }

    @Override
    public void aggregate() {
      @Nullable final Object value = selector.getObject();
      if (value != null) {
        isEmpty = false;
        add(accumulator, value);
      }
    }

    private static void add(Sketch.Accumulator accumulator, Object value) {
      if (value instanceof Number number) {
        accumulator.add(number);
      } else {
        accumulator.merge(value);
      }
    }

    /** The sketch; null if there was nothing to add. */
    @Nullable
    @Override
    public Object get() {
      return isEmpty ? null : accumulator.result();
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
  }

  @Override
  public Aggregator factorize(ColumnSelectorFactory columns) {
    return new SketchAggregator(kind, columns.makeColumnValueSelector(fieldName));
  }

  /** Keeps sketches on the heap; the buffer has the number of the sketch. */
  @Override
  public BufferAggregator factorizeBuffered(ColumnSelectorFactory columns) {
    final BaseObjectColumnValueSelector<?> selector = columns.makeColumnValueSelector(fieldName);
    final List<SketchAggregator> all = new ArrayList<>();
    return new BufferAggregator() {
      @Override
      public void init(ByteBuffer buffer, int position) {
        buffer.putInt(position, all.size());
        all.add(new SketchAggregator(kind, selector));
      }

      @Override
      public void aggregate(ByteBuffer buffer, int position) {
        all.get(buffer.getInt(position)).aggregate();
      }

      @Nullable
      @Override
      public Object get(ByteBuffer buffer, int position) {
        return all.get(buffer.getInt(position)).get();
      }

      @Override
      public float getFloat(ByteBuffer buffer, int position) {
        throw new UnsupportedOperationException();
      }

      @Override
      public long getLong(ByteBuffer buffer, int position) {
        throw new UnsupportedOperationException();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public Comparator<Object> getComparator() {
    throw new UnsupportedOperationException();
  }

  @Nullable
  @Override
  public Object combine(@Nullable Object one, @Nullable Object other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    final Sketch.Accumulator both = kind.accumulator();
    both.merge(one);
    both.merge(other);
    return both.result();
  }

  @Override
  public AggregateCombiner<Object> makeAggregateCombiner() {
    return new ObjectAggregateCombiner<>() {
      @Nullable
      private Object combined;

      @Override
      public void reset(ColumnValueSelector selector) {
        combined = selector.getObject();
      }

      @Override
      public void fold(ColumnValueSelector selector) {
        combined = combine(combined, selector.getObject());
      }

      @Nullable
      @Override
      public Object getObject() {
        return combined;
      }

      @Override
      public Class<Object> classOfObject() {
        return Object.class;
      }
    };
  }

  @Override
  public AggregatorFactory getCombiningFactory() {
    return new SketchAggregatorFactory(name, name, kind);
  }

  @Override
  public Object deserialize(Object object) {
    return object;
  }

  @Nullable
  @Override
  public Object finalizeComputation(@Nullable Object object) {
    return object;
  }

  @Override
  @JsonProperty
  public String getName() {
    return name;
  }

  /** The column that is read. */
  @JsonProperty
  public String getFieldName() {
    return fieldName;
  }

  /** The kind of the sketch. */
  @JsonProperty
  public Sketch getKind() {
    return kind;
  }

  @Override
  public List<String> requiredFields() {
    return List.of(fieldName);
  }

  @Override
  public AggregatorFactory withName(String newName) {
    return new SketchAggregatorFactory(newName, fieldName, kind);
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
    return getIntermediateType();
  }

  @Override
  public int getMaxIntermediateSize() {
    return Integer.BYTES;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SketchAggregatorFactory other
        && name.equals(other.name)
        && fieldName.equals(other.fieldName)
        && kind == other.kind;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, fieldName, kind);
  }
}
