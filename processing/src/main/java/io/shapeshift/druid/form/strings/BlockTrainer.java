// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import com.github.luben.zstd.ZstdDictTrainer;
import com.github.luben.zstd.ZstdException;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Trainer for {@link BlockCoding}: chooses the number of texts in a block, and builds the dictionary that makes a
 * sample of blocks smallest. Not thread-safe.
 */
public final class BlockTrainer {
  private final long numBytes;
  private final int logSize;
  private final long numBlocks;
  private final int level;
  private final int bytesPerSampled;
  private final int mostSampled;
  private long sampleBytes;
  /** Total bytes of blocks that are too large for compression. */
  private long tooLarge;
  private final List<byte[]> blocks = new ArrayList<>();
  private final BlockTexts.Writer plain = new BlockTexts.Writer();

  /**
   * Creates a trainer.
   *
   * @param numBytes bytes of all texts, without the prefix that each shares with the text before
   * @param numTexts number of texts, at least 1
   * @param target   decides about the size of blocks, and the level of their compression
   */
  public BlockTrainer(long numBytes, int numTexts, OptimizationTarget target) {
    final boolean isSmaller = target == OptimizationTarget.SMALLER;
    final int mostBytes = isSmaller ? CostModel.Texts.SMALLER_BLOCK_BYTES : CostModel.Texts.BLOCK_BYTES;
    this.bytesPerSampled = isSmaller ? CostModel.Texts.SMALLER_BYTES_PER_SAMPLED : CostModel.Texts.BYTES_PER_SAMPLED;
    this.mostSampled =
        isSmaller ? CostModel.Texts.SMALLER_MOST_BLOCK_SAMPLE : CostModel.Texts.MOST_BLOCK_SAMPLE;
    this.numBytes = numBytes;
    this.level = !isSmaller ? CostModel.Texts.BLOCK_LEVEL
        : numBytes > CostModel.Texts.MOST_THOROUGH ? CostModel.Texts.SMALLER_BLOCK_LEVEL
        : CostModel.Texts.THOROUGH_BLOCK_LEVEL;
    int log = 0;
    while (log < BlockCoding.MAX_LOG_SIZE
        && (numBytes << (log + 1)) / numTexts
           <= (log < CostModel.Texts.LOG_LONG_TEXTS ? mostBytes : CostModel.Texts.LEAST_BLOCK_BYTES)) {
      log++;
    }
    this.logSize = log;
    this.numBlocks = ((long) numTexts + (1 << log) - 1) >>> log;
  }

  /** Returns the base 2 logarithm of the number of texts in a block. */
  public int logSize() {
    return logSize;
  }

  /** Returns the number of blocks of all texts. */
  public long numBlocks() {
    return numBlocks;
  }

  /** Returns the sampling distance: the caller adds each block whose index is a multiple of it. */
  public long every() {
    final long least = Math.max(CostModel.Texts.LEAST_BLOCK_SAMPLE, numBytes / bytesPerSampled);
    return Math.max(1, numBytes / Math.min(mostSampled, least));
  }

  /** Adds a block to the sample, unless the sample is full. */
  public void add(byte[][] texts, int[] lengths, int count) {
    if (sampleBytes > 2L * mostSampled) {
      return;
    }
    final int size = plain.put(texts, lengths, count);
    blocks.add(Arrays.copyOf(plain.bytes(), size));
    sampleBytes += size;
    if (size == 0) {
      tooLarge += Arrays.stream(lengths, 0, count).asLongStream().sum();
    }
  }

  /** Trains the coding on the whole sample. */
  public BlockCoding train() {
    long size = mostDictionary();
    BlockCoding best = train(1, size);
    double bytes = total(best);
    while (best.sizeInBytes() > bytes / CostModel.Texts.BYTES_PER_SHARE) {
      size /= 2;
      final BlockCoding smaller = train(1, size);
      final double smallerBytes = total(smaller);
      if (smallerBytes >= bytes) {
        break;
      }
      best = smaller;
      bytes = smallerBytes;
    }
    return best;
  }

  private long mostDictionary() {
    return Math.min(
        CostModel.Texts.MOST_DICTIONARY, Long.highestOneBit(numBytes / CostModel.Texts.BYTES_PER_DICTIONARY));
  }

  private double total(BlockCoding coding) {
    return numBlocks * bytesOf(coding) + coding.sizeInBytes();
  }

  /** Returns whether training takes tens of milliseconds. */
  public boolean isSlow() {
    return sampleBytes > CostModel.Texts.SLOW_SAMPLE;
  }

  /** Trains a cheaper coding that compresses almost as well, to find out whether a full training is worth its time. */
  public BlockCoding sketch() {
    return train(
        CostModel.Texts.BLOCKS_PER_SKETCHED, Math.min(CostModel.Texts.SKETCHED_DICTIONARY, mostDictionary()));
  }

  /** Trains on one of {@code every} blocks of the sample. */
  private BlockCoding train(int every, long size) {
    return new BlockCoding(logSize, level, ByteBuffer.wrap(dictionary(every, (int) size)));
  }

  private byte[] dictionary(int every, int size) {
    if (size < CostModel.Texts.LEAST_DICTIONARY || sampleBytes == 0) {
      return new byte[0];
    }
    final boolean isThorough = level == CostModel.Texts.THOROUGH_BLOCK_LEVEL
        && sampleBytes <= CostModel.Texts.MOST_THOROUGH_SAMPLE;
    final ZstdDictTrainer trainer = new ZstdDictTrainer(
        Math.toIntExact(sampleBytes), size, isThorough ? level : CostModel.Texts.TRAINING_LEVEL);
    for (int block = 0; block < blocks.size(); block += every) {
      if (!isHeld(block)) {
        trainer.addSample(blocks.get(block));
      }
    }
    try {
      return trainer.trainSamples();
    } catch (ZstdException e) {
      // Zstandard fails if there are too few blocks, or if they have nothing in common.
      return new byte[0];
    }
  }

  /** Returns whether a block is measured, and not trained on. */
  private boolean isHeld(int block) {
    return blocks.size() >= CostModel.Texts.LEAST_TO_HOLD && block % CostModel.Texts.BLOCKS_PER_HELD == 1;
  }

  /** Returns the mean size of a bucket in bytes, over a part of the sample. */
  public double bytesOf(BlockCoding coding) {
    final boolean areHeld = isHeld(1);
    final int step = areHeld ? CostModel.Texts.BLOCKS_PER_HELD : 1;
    final int every = step * Math.max(1, blocks.size() / step / CostModel.Texts.MEASURED_BLOCKS);
    long bytes = 0;
    int count = 0;
    try (BlockBucket.Writer writer = new BlockBucket.Writer(coding)) {
      for (int block = areHeld ? 1 : 0; block < blocks.size(); block += every, count++) {
        final byte[] plainBlock = blocks.get(block);
        final int size = writer.encode(plainBlock, plainBlock.length);
        bytes += size == 0 ? 1 + plainBlock.length : size;
      }
    }
    return (double) bytes / count + (double) tooLarge / blocks.size();
  }
}
