// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfilePartTest {
  private static final String DRUID = "org.apache.druid.";

  /** Stacks as a profiler sees them, the innermost first; druid stands for its package. */
  @ParameterizedTest
  @CsvSource({
      "IDS, io.shapeshift.druid.bits.BytePacking.get io.shapeshift.druid.form.ints.packed.PackedInts.get "
          + "io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts.get druid.query.groupby.G.run",
      "IDS, io.shapeshift.druid.form.ints.entropy.TansInts.decode "
          + "io.shapeshift.druid.column.ShapeShiftingColumn.read "
          + "druid.segment.data.ColumnarInts.get",
      "IDS, druid.segment.data.CompressedVSizeColumnarIntsSupplier$CompressedFullBytes.get druid.query.topn.T.run",
      "IDS, java.nio.DirectByteBuffer.get druid.segment.data.VSizeColumnarInts.get",
      "ID_DECOMPRESSION, net.jpountz.lz4.LZ4JNI.LZ4_decompress druid.segment.data.CompressionStrategy$LZ4.decompress "
          + "druid.segment.data.GenericIndexed.get druid.segment.data.CompressedVSizeColumnarIntsSupplier$C.load",
      "ID_DECOMPRESSION, com.github.luben.zstd.Zstd.decompress io.shapeshift.druid.form.codec.Codec.decompress "
          + "io.shapeshift.druid.form.ints.codec.CompressedForm.transform "
          + "io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts.get",
      "NUMBER_DECOMPRESSION, com.github.luben.zstd.Zstd.decompress io.shapeshift.druid.form.codec.Codec.decompress "
          + "io.shapeshift.druid.form.ints.codec.CompressedForm.transform "
          + "io.shapeshift.druid.form.numbers.frame.Frame.transform "
          + "io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongs.get",
      "NUMBER_DECOMPRESSION, io.shapeshift.druid.form.codec.Codec.decompress "
          + "io.shapeshift.druid.form.numbers.codec.RawCodecForm.transform "
          + "io.shapeshift.druid.column.ShapeShiftingColumn.get druid.query.aggregation.S.aggregate",
      "NUMBER_DECOMPRESSION, net.jpountz.lz4.LZ4JNI.LZ4_decompress druid.segment.data.GenericIndexed.get "
          + "druid.segment.data.BlockLayoutColumnarLongsSupplier$B.load",
      "NUMBERS, io.shapeshift.druid.bits.BitStream.get io.shapeshift.druid.form.ints.packed.PackedInts.get "
          + "io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoubles.get druid.query.aggregation.S.aggregate",
      "NUMBERS, io.shapeshift.druid.form.ints.IntChunkReader.get "
          + "io.shapeshift.druid.form.numbers.NumberChunkReader.get druid.query.aggregation.S.aggregate",
      "NUMBERS, druid.segment.data.BlockLayoutColumnarDoublesSupplier$B.get druid.query.aggregation.S.aggregate",
      "DICTIONARY, druid.segment.data.GenericIndexed.get "
          + "druid.segment.column.StringUtf8DictionaryEncodedColumn$1.lookupName druid.query.scan.S.next",
      "ROWS, org.roaringbitmap.RoaringBatchIterator.nextBatch druid.segment.vector.BitmapVectorOffset.advance",
      "ROWS, druid.segment.BitmapOffset.increment druid.segment.QueryableIndexCursorHolder$Q.advance",
      "AGGREGATION, druid.query.aggregation.LongSumVectorAggregator.aggregate druid.query.groupby.G.run",
      "GROUPING, druid.java.util.common.Numbers.of druid.query.groupby.epinephelinae.ByteBufferHashTable.find",
      "GROUPING, java.util.HashMap.get druid.query.topn.PooledTopNAlgorithm.run",
      "OTHER, java.util.HashMap.get druid.query.scan.ScanQueryEngine$1.next",
      "OTHER, io.shapeshift.druid.benchmark.query.Historical.run",
      "OTHER, net.jpountz.lz4.LZ4JNI.LZ4_decompress java.lang.Thread.run"
  })
  void aStackIsOfThePartThatItsInnermostMethodsSay(ProfilePart expected, String stack) {
    final List<String> methods =
        Stream.of(stack.split(" ")).map(method -> method.replaceFirst("^druid[.]", DRUID)).toList();
    assertEquals(expected, ProfilePart.of(methods));
    // The stacks name our own classes: after a class has moved, correct its name here.
    methods.stream()
        .filter(method -> method.startsWith("io.shapeshift.") && !method.contains(".shaded."))
        .forEach(method -> assertDoesNotThrow(() -> Class.forName(method.substring(0, method.lastIndexOf('.')))));
  }
}
