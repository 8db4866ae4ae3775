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

/** Compression codec. The effort of compression is not stored, and readers do not depend on it. */
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
  /** Zstandard; the highest effort is that of Druid's own columns, so that ours compress no less. */
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

  /** Effort of compression. */
  public enum Effort {
    /** For trials: whether the codec suits the values, and which inner form compresses best. */
    QUICK,
    /** For stored numbers, which are half as large as Druid's before compression. */
    MODERATE,
    /** The effort of Druid's own columns. */
    STOCK
  }

  private static final LZ4Compressor QUICK_LZ4 = LZ4Factory.fastestInstance().fastCompressor();
  private static final LZ4Compressor MODERATE_LZ4 = LZ4Factory.fastestInstance().highCompressor(5);
  /** Level 9, the default of lz4-java according to its Javadoc. */
  private static final LZ4Compressor STOCK_LZ4 = LZ4Factory.fastestInstance().highCompressor();
  private static final int MODERATE_ZSTD_LEVEL = 9;
  private static final int QUICK_ZSTD_LEVEL = 3;
  private static final int STOCK_ZSTD_LEVEL = 22;

  private final CompressionStrategy strategy;

  Codec(CompressionStrategy strategy) {
    this.strategy = strategy;
  }

  /** Returns the cost of decompression. */
  public DecodeCost cost() {
    return switch (this) {
      case LZ4 -> CostModel.Codecs.LZ4_COST;
      case ZSTD -> CostModel.Codecs.ZSTD_COST;
    };
  }

  /** Returns the codec of the stock columns with which columns under a target are compared. */
  public static Codec ofStockUnder(OptimizationTarget target) {
    return target == OptimizationTarget.SMALLER ? ZSTD : LZ4;
  }

  /**
   * Returns the factor on the size of a stock column with this codec, up to which directly readable chunks are kept.
   */
  public double allowedOverDruid(OptimizationTarget target) {
    return switch (target) {
      case SMALLER -> this == ZSTD ? CostModel.Codecs.ALLOWED_OVER_ZSTD : 1;
      case FASTBUTSMALLISH -> 1;
      case FASTER -> CostModel.Codecs.ALLOWED_IF_FASTER;
    };
  }

  /**
   * Compresses the bytes between position and limit.
   *
   * @param in  direct; position and limit may be changed
   * @param out direct, with room for incompressible data; its position moves past the compressed bytes
   */
  public abstract void compress(ByteBuffer in, ByteBuffer out, Effort effort);

  /**
   * Decompresses the bytes between position and limit.
   *
   * @param in  its position and limit may be changed
   * @param out receives the bytes, between its position and limit
   */
  public void decompress(ByteBuffer in, int length, ByteBuffer out) {
    strategy.getDecompressor().decompress(in, length, out);
  }

  @Override
  public String toString() {
    return strategy.toString();
  }
}
