// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.column.Composition;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.form.Forms;
import io.shapeshift.druid.segment.ShapeShiftModule;
import io.shapeshift.druid.segment.ShapeShiftStringColumnPartSerde;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.druid.jackson.DefaultObjectMapper;
import org.apache.druid.java.util.common.io.smoosh.SmooshedFileMapper;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSupplier;
import org.apache.druid.segment.data.CompressedVSizeColumnarMultiIntsSupplier;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.data.V3CompressedVSizeColumnarMultiIntsSupplier;
import org.apache.druid.segment.data.VSizeColumnarInts;
import org.apache.druid.segment.data.VSizeColumnarMultiInts;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.file.SegmentFileMapperV10;
import org.apache.druid.segment.projections.Projections;
import org.apache.druid.segment.serde.DictionaryEncodedColumnPartSerde;

/** Reads what the string columns of a segment consist of, without reading their rows. */
public final class SegmentLayout {
  private static final String STOCK_TYPE = "stringDictionary";
  /** Where both single and multiple compressed ids of Druid keep the id of their compression. */
  private static final int COMPRESSION_OFFSET = 10;

  private final SegmentFileMapper files;
  private final List<ColumnLayout> columns = new ArrayList<>();

  private SegmentLayout(SegmentFileMapper files) {
    this.files = files;
  }

  /**
   * Returns the dictionary-encoded string columns of the base table, in the segment's order.
   *
   * @param segmentDirectory an unpacked segment, V9 or V10
   * @throws IOException if it is no segment or cannot be read
   */
  public static List<ColumnLayout> read(File segmentDirectory) throws IOException {
    final ObjectMapper json = new DefaultObjectMapper();
    json.registerModules(new ShapeShiftModule().getJacksonModules());
    json.setInjectableValues(
        new InjectableValues.Std().addValue(ExprMacroTable.class.getName(), ExprMacroTable.nil())
    );
    final File v10File = new File(segmentDirectory, IndexIO.V10_FILE_NAME);
    return v10File.exists() ? readV10(v10File, json) : readV9(segmentDirectory, json);
  }

  private static List<ColumnLayout> readV9(File segmentDirectory, ObjectMapper json) throws IOException {
    try (SmooshedFileMapper files = SmooshedFileMapper.load(segmentDirectory)) {
      final SegmentLayout layout = new SegmentLayout(files);
      final Indexed<String> names =
          GenericIndexed.read(files.mapFile("index.drd"), GenericIndexed.STRING_STRATEGY, files);
      for (String name : names) {
        final ByteBuffer buffer = files.mapFile(name);
        layout.add(name, json.readTree(IndexMerger.SERIALIZER_UTILS.readString(buffer)), buffer);
      }
      return layout.columns;
    }
  }

  private static List<ColumnLayout> readV10(File segmentFile, ObjectMapper json) throws IOException {
    try (SegmentFileMapperV10 files = SegmentFileMapperV10.create(segmentFile, json)) {
      final SegmentLayout layout = new SegmentLayout(files);
      final String prefix = Projections.BASE_TABLE_PROJECTION_NAME + "/";
      for (var column : files.getSegmentFileMetadata().getColumnDescriptors().entrySet()) {
        if (column.getKey().startsWith(prefix)) {
          layout.add(
              column.getKey().substring(prefix.length()),
              json.valueToTree(column.getValue()),
              files.mapFile(column.getKey())
          );
        }
      }
      return layout.columns;
    }
  }

  private void add(String name, JsonNode descriptor, ByteBuffer buffer) {
    final JsonNode part = descriptor.path("parts").path(0);
    final String type = part.path("type").asText();
    if (!type.equals(STOCK_TYPE) && !type.equals(ShapeShiftStringColumnPartSerde.TYPE)) {
      return;
    }
    final ByteOrder order =
        part.path("byteOrder").asText().equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    final DictionaryEncodedColumnPartSerde.VERSION version =
        DictionaryEncodedColumnPartSerde.VERSION.fromByte(buffer.get(buffer.position()));
    final int flags = ShapeShiftStringColumnPartSerde.readFlags(buffer);
    final boolean multiValue = ShapeShiftStringColumnPartSerde.isMultiValue(flags);

    final int dictionaryStart = buffer.position();
    final int cardinality = StringEncodingStrategies.getStringDictionarySupplier(files, buffer, order).get().size();
    final int idsStart = buffer.position();
    final Ids ids = type.equals(STOCK_TYPE)
                    ? readStock(buffer, order, version, flags, multiValue)
                    : readShapeShifting(name, buffer, order, multiValue);
    columns.add(
        new ColumnLayout(
            name,
            multiValue,
            ids.rows,
            cardinality,
            ids.encoding,
            idsStart - dictionaryStart,
            buffer.position() - idsStart,
            buffer.remaining(),
            ids.forms
        )
    );
  }

  private record Ids(int rows, String encoding, Map<String, ColumnLayout.FormUsage> forms) {}

  private Ids readStock(
      ByteBuffer buffer,
      ByteOrder order,
      DictionaryEncodedColumnPartSerde.VERSION version,
      int flags,
      boolean multiValue
  ) {
    if (version != DictionaryEncodedColumnPartSerde.VERSION.COMPRESSED) {
      final int rows = multiValue
                       ? VSizeColumnarMultiInts.readFromByteBuffer(buffer).get().size()
                       : VSizeColumnarInts.readFromByteBuffer(buffer).get().size();
      return new Ids(rows, CompressionStrategy.UNCOMPRESSED.toString(), Map.of());
    }
    final boolean v2 = DictionaryEncodedColumnPartSerde.Feature.MULTI_VALUE.isSet(flags);
    final byte compression = buffer.get(buffer.position() + COMPRESSION_OFFSET + (v2 ? 1 : 0));
    final int rows;
    if (v2) {
      rows = CompressedVSizeColumnarMultiIntsSupplier.fromByteBuffer(buffer, order, files).get().size();
    } else if (multiValue) {
      rows = V3CompressedVSizeColumnarMultiIntsSupplier.fromByteBuffer(buffer, order, files).get().size();
    } else {
      rows = CompressedVSizeColumnarIntsSupplier.fromByteBuffer(buffer, order, files).get().size();
    }
    return new Ids(rows, CompressionStrategy.forId(compression).toString(), Map.of());
  }

  private static Ids readShapeShifting(String name, ByteBuffer buffer, ByteOrder order, boolean multiValue) {
    final ByteBuffer ids = buffer.duplicate().order(order);
    final Map<String, ColumnLayout.FormUsage> forms = new LinkedHashMap<>();
    final int rows;
    if (multiValue) {
      final ShapeShiftingColumnarMultiIntsSupplier column = ShapeShiftingColumnarMultiIntsSupplier.read(name, ids);
      count(column.offsets(), forms);
      count(column.values(), forms);
      rows = column.offsets().data().header().numValues() - 1;
    } else {
      final ShapeShiftingColumnarIntsSupplier column = ShapeShiftingColumnarIntsSupplier.read(name, ids);
      count(column, forms);
      rows = column.data().header().numValues();
    }
    buffer.position(ids.position());
    return new Ids(rows, "shapeshift", forms);
  }

  private static void count(
      ShapeShiftingColumnarIntsSupplier column,
      Map<String, ColumnLayout.FormUsage> forms
  ) {
    for (Composition.Entry entry : column.data().header().composition().entries()) {
      forms.merge(
          Forms.intForm(entry.formId()).name(),
          new ColumnLayout.FormUsage(entry.chunks(), entry.bytes()),
          (a, b) -> new ColumnLayout.FormUsage(a.chunks() + b.chunks(), a.bytes() + b.bytes())
      );
    }
  }
}
