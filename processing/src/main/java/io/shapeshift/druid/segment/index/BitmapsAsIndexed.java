// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.base.Supplier;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.file.SegmentFileBuilder;

/**
 * Bitmaps of a column in the form that Druid's indexes of variants and arrays need. All queries share one object, so
 * each read creates an {@link IdBitmaps}. A {@link #singleThreaded} view uses one for all reads.
 */
public final class BitmapsAsIndexed extends GenericIndexed<ImmutableBitmap> {
  private final Supplier<? extends IdBitmaps> bitmaps;

  /**
   * Creates a view of bitmaps.
   *
   * @param bitmaps supplier of the rows of each id, thread-safe
   * @param serde   type of the bitmaps
   */
  public BitmapsAsIndexed(Supplier<? extends IdBitmaps> bitmaps, BitmapSerdeFactory serde) {
    super(serde.getObjectStrategy(), false, bitmaps.get().size());
    this.bitmaps = bitmaps;
  }

  @Override
  public ImmutableBitmap get(int index) {
    checkIndex(index);
    return bitmaps.get().get(index);
  }

  @Override
  public BufferIndexed singleThreaded() {
    return new View(bitmaps.get());
  }

  @Override
  public long getSerializedSize() {
    throw notBytes();
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) {
    throw notBytes();
  }

  @Override
  public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
    inspector.visit("bitmaps", bitmaps);
  }

  private static UnsupportedOperationException notBytes() {
    return new UnsupportedOperationException("The bitmaps are not bytes.");
  }

  private final class View extends BufferIndexed {
    private final IdBitmaps bitmaps;

    private View(IdBitmaps bitmaps) {
      this.bitmaps = bitmaps;
    }

    @Override
    public ImmutableBitmap get(int index) {
      checkIndex(index);
      return bitmaps.get(index);
    }

    @Override
    protected ByteBuffer getByteBuffer(int index) {
      throw notBytes();
    }

    @Override
    public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
      inspector.visit("bitmaps", bitmaps);
    }
  }
}
