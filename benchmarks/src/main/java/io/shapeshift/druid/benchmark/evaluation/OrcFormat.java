// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import io.shapeshift.druid.benchmark.evaluation.PlainColumn.Doubles;
import io.shapeshift.druid.benchmark.evaluation.PlainColumn.Longs;
import io.shapeshift.druid.benchmark.evaluation.PlainColumn.Texts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.orc.RecordReader;
import org.apache.orc.TypeDescription;
import org.apache.orc.Writer;
import org.apache.orc.storage.ql.exec.vector.BytesColumnVector;
import org.apache.orc.storage.ql.exec.vector.ColumnVector;
import org.apache.orc.storage.ql.exec.vector.DoubleColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.VectorizedRowBatch;

/**
 * ORC as its Java library writes and reads it, with its defaults.
 *
 * @param name  of the format and its codec
 * @param codec of the streams
 */
record OrcFormat(String name, CompressionKind codec) implements FileFormat {
  private static final Configuration CONFIGURATION = configuration();

  private static Configuration configuration() {
    final Configuration configuration = new Configuration(false);
    // The file system that keeps no files of checksums.
    configuration.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    configuration.setBoolean("fs.file.impl.disable.cache", true);
    return configuration;
  }

  private static org.apache.hadoop.fs.Path path(Path file) {
    return new org.apache.hadoop.fs.Path(file.toUri());
  }

  @Override
  public void write(PlainColumn column, Path file) throws IOException {
    final TypeDescription type = column instanceof Longs ? TypeDescription.createLong()
        : column instanceof Doubles ? TypeDescription.createDouble()
        : TypeDescription.createString();
    final TypeDescription schema = TypeDescription.createStruct().addField("column", type);
    try (Writer writer = OrcFile.createWriter(
        path(file), OrcFile.writerOptions(CONFIGURATION).setSchema(schema).compress(codec).overwrite(true))) {
      final VectorizedRowBatch batch = schema.createRowBatch();
      for (int start = 0; start < column.rows(); start += batch.size) {
        batch.reset();
        batch.size = Math.min(batch.getMaxSize(), column.rows() - start);
        fill(batch.cols[0], column, start, batch.size);
        writer.addRowBatch(batch);
      }
    }
  }

  private static void fill(ColumnVector vector, PlainColumn column, int start, int length) {
    final BitSet nulls = column.nulls().get(start, start + length);
    nulls.stream().forEach(i -> vector.isNull[i] = true);
    vector.noNulls = nulls.isEmpty();
    if (column instanceof Longs longs) {
      System.arraycopy(longs.values(), start, ((LongColumnVector) vector).vector, 0, length);
    } else if (column instanceof Doubles doubles) {
      System.arraycopy(doubles.values(), start, ((DoubleColumnVector) vector).vector, 0, length);
    } else {
      final byte[][] texts = ((Texts) column).values();
      for (int i = nulls.nextClearBit(0); i < length; i = nulls.nextClearBit(i + 1)) {
        ((BytesColumnVector) vector).setRef(i, texts[start + i], 0, texts[start + i].length);
      }
    }
  }

  @Override
  public OpenColumn open(Path file) throws IOException {
    return new OpenFile(OrcFile.createReader(path(file), OrcFile.readerOptions(CONFIGURATION)));
  }

  private record OpenFile(Reader reader) implements OpenColumn {
    @Override
    public void decode(VectorSink sink) throws IOException {
      try (RecordReader rows = reader.rows()) {
        final VectorizedRowBatch batch = reader.getSchema().createRowBatch();
        while (rows.nextBatch(batch)) {
          final ColumnVector vector = batch.cols[0];
          // A batch of equal values has only the first.
          vector.flatten(false, null, batch.size);
          pass(vector, batch.size, sink);
        }
      }
    }

    private static void pass(ColumnVector vector, int length, VectorSink sink) {
      if (vector instanceof LongColumnVector longs) {
        sink.longs(longs.vector, vector.noNulls ? null : vector.isNull, length);
      } else if (vector instanceof DoubleColumnVector doubles) {
        sink.doubles(doubles.vector, vector.noNulls ? null : vector.isNull, length);
      } else {
        final BytesColumnVector texts = (BytesColumnVector) vector;
        sink.texts(i -> !texts.noNulls && texts.isNull[i]
            ? null
            : Arrays.copyOfRange(texts.vector[i], texts.start[i], texts.start[i] + texts.length[i]), length);
      }
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
