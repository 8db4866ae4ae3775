// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import io.shapeshift.druid.benchmark.evaluation.PlainColumn.Doubles;
import io.shapeshift.druid.benchmark.evaluation.PlainColumn.Longs;
import io.shapeshift.druid.benchmark.evaluation.PlainColumn.Texts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/**
 * Parquet as parquet-java writes and reads it, with its defaults: row groups of 128 MB, dictionaries of up to 1 MB.
 *
 * @param name  of the format and its codec
 * @param codec of the pages
 */
record ParquetFormat(String name, CompressionCodecName codec) implements FileFormat {
  private static final String COLUMN = "column";
  private static final int VECTOR = 512;

  @Override
  public void write(PlainColumn column, Path file) throws IOException {
    try (ParquetWriter<Integer> writer =
        new Builder(new LocalOutputFile(file), column).withCompressionCodec(codec).build()) {
      for (int row = 0; row < column.rows(); row++) {
        writer.write(row);
      }
    }
  }

  @Override
  public OpenColumn open(Path file) throws IOException {
    final InputFile input = new LocalInputFile(file);
    final ParquetReadOptions options = ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
    try (ParquetFileReader reader = ParquetFileReader.open(input, options)) {
      return new OpenFile(input, options, reader.getFooter());
    }
  }

  private record OpenFile(InputFile file, ParquetReadOptions options, ParquetMetadata footer) implements OpenColumn {
    @Override
    public void decode(VectorSink sink) throws IOException {
      final MessageType schema = footer.getFileMetaData().getSchema();
      final String createdBy = footer.getFileMetaData().getCreatedBy();
      final PrimitiveTypeName type = schema.getType(0).asPrimitiveType().getPrimitiveTypeName();
      final Vectors vectors = new Vectors();
      try (ParquetFileReader reader = new ParquetFileReader(file, footer, options, file.newStream())) {
        for (PageReadStore pages = reader.readNextRowGroup(); pages != null; pages = reader.readNextRowGroup()) {
          final ColumnReader values = new ColumnReadStoreImpl(pages, NoRecords.ROOT, schema, createdBy)
              .getColumnReader(schema.getColumns().get(0));
          final long rows = pages.getRowCount();
          for (long row = 0; row < rows; row += VECTOR) {
            final int length = (int) Math.min(VECTOR, rows - row);
            switch (type) {
              case INT64 -> vectors.longs(values, length, sink);
              case DOUBLE -> vectors.doubles(values, length, sink);
              default -> vectors.texts(values, length, sink);
            }
          }
        }
      }
    }

    @Override
    public void close() {}
  }

  /** The arrays of a vector, and the loops that fill them. */
  private static final class Vectors {
    private final long[] longs = new long[VECTOR];
    private final double[] doubles = new double[VECTOR];
    private final Binary[] texts = new Binary[VECTOR];
    private final boolean[] nulls = new boolean[VECTOR];

    void longs(ColumnReader values, int length, VectorSink sink) {
      final int present = values.getDescriptor().getMaxDefinitionLevel();
      for (int i = 0; i < length; i++) {
        nulls[i] = values.getCurrentDefinitionLevel() < present;
        if (!nulls[i]) {
          longs[i] = values.getLong();
        }
        values.consume();
      }
      sink.longs(longs, present == 0 ? null : nulls, length);
    }

    void doubles(ColumnReader values, int length, VectorSink sink) {
      final int present = values.getDescriptor().getMaxDefinitionLevel();
      for (int i = 0; i < length; i++) {
        nulls[i] = values.getCurrentDefinitionLevel() < present;
        if (!nulls[i]) {
          doubles[i] = values.getDouble();
        }
        values.consume();
      }
      sink.doubles(doubles, present == 0 ? null : nulls, length);
    }

    void texts(ColumnReader values, int length, VectorSink sink) {
      final int present = values.getDescriptor().getMaxDefinitionLevel();
      for (int i = 0; i < length; i++) {
        texts[i] = values.getCurrentDefinitionLevel() < present ? null : values.getBinary();
        values.consume();
      }
      sink.texts(i -> texts[i] == null ? null : texts[i].getBytes(), length);
    }
  }

  /** Converter that is asked for records, of which none are made. */
  private static final class NoRecords extends GroupConverter {
    static final NoRecords ROOT = new NoRecords();
    private static final Converter VALUE = new PrimitiveConverter() {};

    @Override
    public Converter getConverter(int fieldIndex) {
      return VALUE;
    }

    @Override
    public void start() {}

    @Override
    public void end() {}
  }

  private static final class Builder extends ParquetWriter.Builder<Integer, Builder> {
    private final PlainColumn column;

    Builder(OutputFile file, PlainColumn column) {
      super(file);
      this.column = column;
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // It is abstract.
    protected WriteSupport<Integer> getWriteSupport(Configuration configuration) {
      return new RowWriter(column);
    }

    @Override
    protected WriteSupport<Integer> getWriteSupport(ParquetConfiguration configuration) {
      return new RowWriter(column);
    }
  }

  /** Writer of the value of a row. */
  private static final class RowWriter extends WriteSupport<Integer> {
    private final PlainColumn column;
    @Nullable
    private RecordConsumer consumer;

    RowWriter(PlainColumn column) {
      this.column = column;
    }

    @Override
    @SuppressWarnings("deprecation") // It is abstract.
    public WriteContext init(Configuration configuration) {
      return context();
    }

    @Override
    public WriteContext init(ParquetConfiguration configuration) {
      return context();
    }

    private WriteContext context() {
      final Repetition repetition = column.nulls().isEmpty() ? Repetition.REQUIRED : Repetition.OPTIONAL;
      final var type = column instanceof Longs ? Types.primitive(PrimitiveTypeName.INT64, repetition)
          : column instanceof Doubles ? Types.primitive(PrimitiveTypeName.DOUBLE, repetition)
          : Types.primitive(PrimitiveTypeName.BINARY, repetition).as(LogicalTypeAnnotation.stringType());
      return new WriteContext(Types.buildMessage().addField(type.named(COLUMN)).named("rows"), Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer recordConsumer) {
      this.consumer = recordConsumer;
    }

    @Override
    public void write(Integer row) {
      consumer.startMessage();
      if (!column.nulls().get(row)) {
        consumer.startField(COLUMN, 0);
        if (column instanceof Longs longs) {
          consumer.addLong(longs.values()[row]);
        } else if (column instanceof Doubles doubles) {
          consumer.addDouble(doubles.values()[row]);
        } else {
          consumer.addBinary(Binary.fromConstantByteArray(((Texts) column).values()[row]));
        }
        consumer.endField(COLUMN, 0);
      }
      consumer.endMessage();
    }
  }
}
