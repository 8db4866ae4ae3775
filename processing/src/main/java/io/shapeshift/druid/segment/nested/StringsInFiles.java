// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.SeveralFiles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.file.SegmentFileMapper;

/** Druid's dictionary of the strings of a field, in several files, with errors that name the field. For one thread. */
final class StringsInFiles implements Indexed<ByteBuffer> {
  private final String name;
  private final Indexed<ByteBuffer> strings;

  private StringsInFiles(String name, Indexed<ByteBuffer> strings) {
    this.name = name;
    this.strings = strings;
  }

  /**
   * Opens a dictionary.
   *
   * @param name  name of the column and the field, for messages
   * @param head  head, which has the names of the files
   * @param files files of the segment
   * @throws ColumnFormatException if the head is damaged, or a file is not there
   */
  static Supplier<StringsInFiles> read(String name, ByteBuffer head, ByteOrder order, SegmentFileMapper files) {
    SeveralFiles.check(name, head, files);
    try {
      final Supplier<? extends Indexed<ByteBuffer>> strings =
          StringEncodingStrategies.getStringDictionarySupplier(files, head, order);
      if (!strings.get().isSorted()) {
        throw ColumnFormatException.damaged(name, "its strings, in several files, are said to be unsorted");
      }
      return () -> new StringsInFiles(name, strings.get());
    } catch (RuntimeException e) {
      throw ColumnFormatException.notRead(name, "its strings, in several files: ", e);
    }
  }

  @Override
  public int size() {
    return strings.size();
  }

  @Nullable
  @Override
  public ByteBuffer get(int index) {
    try {
      return strings.get(index);
    } catch (RuntimeException e) {
      throw ColumnFormatException.notRead(name, "string " + index + ", in several files: ", e);
    }
  }

  @Override
  public int indexOf(@Nullable ByteBuffer value) {
    try {
      return strings.indexOf(value);
    } catch (RuntimeException e) {
      throw ColumnFormatException.notRead(name, "its strings, in several files: ", e);
    }
  }

  @Override
  public boolean isSorted() {
    return true;
  }

  @Override
  public Iterator<ByteBuffer> iterator() {
    return IntStream.range(0, size()).mapToObj(this::get).iterator();
  }

  @Override
  public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
    inspector.visit("strings", strings);
  }
}
