// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.codec;

import com.github.luben.zstd.Zstd;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.apache.druid.segment.data.CompressionStrategy;

/** The compression codecs. The effort of compression is not stored, and makes no difference to readers. */
public enum Codec {
  /** LZ4, block format. */
  LZ4(CompressionStrategy.LZ4) {
    @Override
    public void compress(ByteBuffer in, ByteBuffer out, Effort effort) {
      final LZ4Compressor compressor = switch (effort) {
        case QUICK -> QUICK_LZ4;
        case MODERATE -> MODERATE_LZ4;
        case STOCK -> STOCK_LZ4;
      };
      compressor.compress(in, out);
    }
  },
  /** Zstandard; thoroughly as Druid's own columns are, so that ours compress no less. */
  ZSTD(CompressionStrategy.ZSTD) {
    @Override
    public void compress(ByteBuffer in, ByteBuffer out, Effort effort) {
      final int level = switch (effort) {
        case QUICK -> QUICK_ZSTD_LEVEL;
        case MODERATE -> MODERATE_ZSTD_LEVEL;
        case STOCK -> STOCK_ZSTD_LEVEL;
      };
      Zstd.compress(out, in, level);
    }
  };

  /** How much time is spent. */
  public enum Effort {
    /** To judge whether the codec suits the values, and in which inner form. */
    QUICK,
    /** To store numbers, which are half as large as Druid's before they are compressed. */
    MODERATE,
    /** As much as Druid's own columns spend. */
    STOCK
  }

  private static final LZ4Compressor QUICK_LZ4 = LZ4Factory.fastestInstance().fastCompressor();
  private static final LZ4Compressor MODERATE_LZ4 = LZ4Factory.fastestInstance().highCompressor(5);
  /** Level 9, which the Javadoc of lz4-java has as the default. */
  private static final LZ4Compressor STOCK_LZ4 = LZ4Factory.fastestInstance().highCompressor();
  private static final int MODERATE_ZSTD_LEVEL = 9;
  private static final int QUICK_ZSTD_LEVEL = 3;
  private static final int STOCK_ZSTD_LEVEL = 22;

  private final CompressionStrategy strategy;

  Codec(CompressionStrategy strategy) {
    this.strategy = strategy;
  }

  /** The cost of decompressing. */
  public DecodeCost cost() {
    return switch (this) {
      case LZ4 -> CostModel.Codecs.LZ4_COST;
      case ZSTD -> CostModel.Codecs.ZSTD_COST;
    };
  }

  /** The codec of Druid's own columns with which columns under a target are compared. */
  public static Codec ofStockUnder(OptimizationTarget target) {
    return target == OptimizationTarget.SMALLER ? ZSTD : LZ4;
  }

  /**
   * How much larger directly read chunks may be under a target than Druid's own column with this codec, as a factor.
   */
  public double allowedOverDruid(OptimizationTarget target) {
    return switch (target) {
      case SMALLER -> this == ZSTD ? CostModel.Codecs.ALLOWED_OVER_ZSTD : 1;
      case FASTBUTSMALLISH -> 1;
      case FASTER -> CostModel.Codecs.ALLOWED_IF_FASTER;
    };
  }

  /**
   * Compresses what the buffer holds.
   *
   * @param in  direct; position and limit may be changed
   * @param out direct, with room for data that does not compress; its position moves behind what is written
   */
  public abstract void compress(ByteBuffer in, ByteBuffer out, Effort effort);

  /**
   * Decompresses what the buffer holds.
   *
   * @param in  its position and limit may be changed
   * @param out afterwards from its position to its limit
   */
  public void decompress(ByteBuffer in, int length, ByteBuffer out) {
    strategy.getDecompressor().decompress(in, length, out);
  }

  @Override
  public String toString() {
    return strategy.toString();
  }
}
