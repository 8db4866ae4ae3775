// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.error.InvalidInput;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.query.extraction.ExtractionFn;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.ColumnSelectorFactory;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.NilColumnValueSelector;
import org.apache.druid.segment.ObjectColumnSelector;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.apache.druid.segment.column.TypeSignature;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.data.ReadableOffset;
import org.apache.druid.segment.nested.FieldTypeInfo;
import org.apache.druid.segment.nested.NestedCommonFormatColumn;
import org.apache.druid.segment.nested.NestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedPathArrayElement;
import org.apache.druid.segment.nested.NestedPathFinder;
import org.apache.druid.segment.nested.NestedPathPart;
import org.apache.druid.segment.serde.NoIndexesColumnIndexSupplier;
import org.apache.druid.segment.vector.NilVectorSelector;
import org.apache.druid.segment.vector.ReadableVectorOffset;
import org.apache.druid.segment.vector.SingleValueDimensionVectorSelector;
import org.apache.druid.segment.vector.VectorColumnSelectorFactory;
import org.apache.druid.segment.vector.VectorObjectSelector;
import org.apache.druid.segment.vector.VectorValueSelector;
import org.apache.druid.utils.CloseableUtils;

/**
 * A nested column, for one query. It answers as Druid's {@code CompressedNestedDataComplexColumn} does: a path is a
 * field, an element of a field of arrays, or nothing.
 */
final class ShapeShiftNestedColumn extends NestedDataComplexColumn implements NestedCommonFormatColumn {
  private final NestedColumnData data;
  private final Closer closer = Closer.create();
  private final Map<Integer, BaseColumnHolder> open = new HashMap<>();
  @Nullable
  private ObjectReader objects;

  ShapeShiftNestedColumn(NestedColumnData data) {
    this.data = data;
  }

  /** Returns the column, for all queries. */
  NestedColumnData data() {
    return data;
  }

  /** What a path is. */
  private interface Target {}

  private record Field(int index) implements Target {}

  private record Element(int index, int number) implements Target {}

  @Nullable
  private Target find(List<NestedPathPart> path) {
    final int field = data.indexOf(path);
    if (field >= 0) {
      return new Field(field);
    }
    if (!path.isEmpty() && path.get(path.size() - 1) instanceof NestedPathArrayElement last) {
      final int array = data.indexOf(path.subList(0, path.size() - 1));
      return array < 0 ? null : new Element(array, last.getIndex());
    }
    return null;
  }

  private synchronized BaseColumnHolder holder(int field) {
    return open.computeIfAbsent(
        field, index -> data.field(index).open(data.bitmaps(), data.config(), data.isListed(index), closer));
  }

  private DictionaryEncodedColumn<?> column(int field) {
    return (DictionaryEncodedColumn<?>) holder(field).getColumn();
  }

  private static void requireElement(Element element, List<NestedPathPart> path) {
    if (element.number < 0) {
      throw InvalidInput.exception(
          "Cannot make array element selector for path [%s], negative array index not supported for this selector",
          path
      );
    }
  }

  @Override
  public DimensionSelector makeDimensionSelector(
      List<NestedPathPart> path,
      @Nullable ExtractionFn extractionFn,
      ColumnSelectorFactory selectorFactory,
      ReadableOffset readableOffset
  ) {
    @Nullable final Target target = find(path);
    if (target instanceof Field field) {
      return column(field.index).makeDimensionSelector(readableOffset, extractionFn);
    }
    if (target instanceof Element element) {
      requireElement(element, path);
      return ElementSelectors.texts(column(element.index).makeColumnValueSelector(readableOffset), element.number);
    }
    return DimensionSelector.constant(null);
  }

  @Override
  public ColumnValueSelector<?> makeColumnValueSelector(
      List<NestedPathPart> path,
      ColumnSelectorFactory selectorFactory,
      ReadableOffset readableOffset
  ) {
    @Nullable final Target target = find(path);
    if (target instanceof Field field) {
      return column(field.index).makeColumnValueSelector(readableOffset);
    }
    if (target instanceof Element element) {
      requireElement(element, path);
      return ElementSelectors.values(column(element.index).makeColumnValueSelector(readableOffset), element.number);
    }
    return NilColumnValueSelector.instance();
  }

  @Override
  public SingleValueDimensionVectorSelector makeSingleValueDimensionVectorSelector(
      List<NestedPathPart> path,
      VectorColumnSelectorFactory selectorFactory,
      ReadableVectorOffset readableOffset
  ) {
    return find(path) instanceof Field field
           ? column(field.index).makeSingleValueDimensionVectorSelector(readableOffset)
           : NilVectorSelector.create(readableOffset);
  }

  @Override
  public VectorObjectSelector makeVectorObjectSelector(
      List<NestedPathPart> path,
      VectorColumnSelectorFactory selectorFactory,
      ReadableVectorOffset readableOffset
  ) {
    @Nullable final Target target = find(path);
    if (target instanceof Field field) {
      return column(field.index).makeVectorObjectSelector(readableOffset);
    }
    if (target instanceof Element element) {
      requireElement(element, path);
      return ElementSelectors.objects(
          column(element.index).makeVectorObjectSelector(readableOffset), element.number, readableOffset);
    }
    return NilVectorSelector.create(readableOffset);
  }

  @Override
  public VectorValueSelector makeVectorValueSelector(
      List<NestedPathPart> path,
      VectorColumnSelectorFactory selectorFactory,
      ReadableVectorOffset readableOffset
  ) {
    @Nullable final Target target = find(path);
    if (target instanceof Field field) {
      return column(field.index).makeVectorValueSelector(readableOffset);
    }
    if (target instanceof Element element) {
      requireElement(element, path);
      return ElementSelectors.numbers(
          column(element.index).makeVectorObjectSelector(readableOffset), element.number, readableOffset);
    }
    return NilVectorSelector.create(readableOffset);
  }

  @Override
  public List<List<NestedPathPart>> getNestedFields() {
    final List<List<NestedPathPart>> paths = new ArrayList<>();
    for (String name : data.names().strings()) {
      paths.add(NestedPathFinder.parseJsonPath(name));
    }
    return paths;
  }

  @Nullable
  @Override
  public Set<ColumnType> getFieldTypes(List<NestedPathPart> path) {
    @Nullable final Target target = find(path);
    if (target instanceof Field field) {
      return FieldTypeInfo.convertToSet(data.types(field.index).getByteValue());
    }
    return target instanceof Element element ? elementTypes(element) : null;
  }

  private Set<ColumnType> elementTypes(Element element) {
    return FieldTypeInfo.convertToSet(data.types(element.index).getByteValue())
                        .stream()
                        .map(type -> type.isArray() ? (ColumnType) type.getElementType() : type)
                        .collect(Collectors.toSet());
  }

  @Nullable
  @Override
  public ColumnType getFieldLogicalType(List<NestedPathPart> path) {
    @Nullable final Set<ColumnType> types = getFieldTypes(path);
    return types == null ? null : ColumnType.leastRestrictiveType(types);
  }

  @Nullable
  @Override
  public BaseColumnHolder getColumnHolder(List<NestedPathPart> path) {
    return find(path) instanceof Field field ? holder(field.index) : null;
  }

  @Nullable
  @Override
  public ColumnIndexSupplier getColumnIndexSupplier(List<NestedPathPart> path) {
    @Nullable final Target target = find(path);
    if (target instanceof Field field) {
      return holder(field.index).getIndexSupplier();
    }
    return target == null ? null : NoIndexesColumnIndexSupplier.getInstance();
  }

  @Override
  public boolean isNumeric(List<NestedPathPart> path) {
    @Nullable final Target target = find(path);
    if (target instanceof Field field) {
      return holder(field.index).getCapabilities().isNumeric();
    }
    if (target instanceof Element element) {
      @Nullable
      final TypeSignature<ValueType> type = holder(element.index).getCapabilities().getElementType();
      return type != null && type.isNumeric();
    }
    // Druid reads a path without values as numbers that are null.
    return true;
  }

  private synchronized ObjectReader objects() {
    if (objects == null) {
      objects = closer.register(new ObjectReader(data));
    }
    return objects;
  }

  @Nullable
  @Override
  public Object getRowValue(int rowNum) {
    return objects().get(rowNum);
  }

  @Override
  public ColumnValueSelector<?> makeColumnValueSelector(ReadableOffset offset) {
    final ObjectReader reader = objects();
    return new ObjectColumnSelector<Object>() {
      @Nullable
      @Override
      public Object getObject() {
        return reader.get(offset.getOffset());
      }

      @Override
      public Class<?> classOfObject() {
        return getClazz();
      }

      @Override
      public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
        inspector.visit("column", ShapeShiftNestedColumn.this);
      }
    };
  }

  @Override
  public VectorObjectSelector makeVectorObjectSelector(ReadableVectorOffset offset) {
    final ObjectReader reader = objects();
    return new VectorOfObjects(offset) {
      @Override
      void fill(Object[] vector) {
        final int size = offset.getCurrentVectorSize();
        for (int i = 0; i < size; i++) {
          vector[i] = reader.get(offset.isContiguous() ? offset.getStartOffset() + i : offset.getOffsets()[i]);
        }
      }
    };
  }

  @Override
  public ColumnType getLogicalType() {
    return ColumnType.NESTED_DATA;
  }

  @Override
  public SortedMap<String, FieldTypeInfo.MutableTypeSet> getFieldTypeInfo() {
    final SortedMap<String, FieldTypeInfo.MutableTypeSet> types = new TreeMap<>();
    int field = 0;
    for (String name : data.names().strings()) {
      types.put(name, new FieldTypeInfo.MutableTypeSet(data.types(field++).getByteValue()));
    }
    return types;
  }

  @Override
  public Indexed<String> getStringDictionary() {
    return MergedValues.strings(data);
  }

  @Override
  public Indexed<Long> getLongDictionary() {
    return MergedValues.longs(data);
  }

  @Override
  public Indexed<Double> getDoubleDictionary() {
    return MergedValues.doubles(data);
  }

  @Override
  public Indexed<Object[]> getArrayDictionary() {
    return MergedValues.arrays(data);
  }

  @Override
  public int getLength() {
    return data.numRows();
  }

  @Override
  public void close() {
    CloseableUtils.closeAndWrapExceptions(closer);
  }
}
