// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import com.github.luben.zstd.ZstdDictTrainer;
import com.github.luben.zstd.ZstdException;
import io.shapeshift.druid.cost.CostModel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Trainer for {@link TextCoding#BLOCKS}: chooses the number of texts in a block, and builds the dictionary that makes a
 * sample of blocks smallest. Not thread-safe.
 */
public final class BlockTrainer {
  /** Compression level for which the dictionary's statistics are computed. */
  private static final int LEVEL = 19;

  private final long numBytes;
  private final int logSize;
  private int sampleBytes;
  /** Total bytes of blocks that are too large for compression. */
  private long tooLarge;
  private final List<byte[]> blocks = new ArrayList<>();
  private final BlockTexts.Writer plain = new BlockTexts.Writer();

  /**
   * Creates a trainer.
   *
   * @param numBytes bytes of all texts, without the prefix that each shares with the text before
   * @param numTexts number of texts, at least 1
   */
  public BlockTrainer(long numBytes, int numTexts) {
    this.numBytes = numBytes;
    int log = 0;
    while (log < BlockModel.MAX_LOG_SIZE && (numBytes << (log + 1)) / numTexts <= CostModel.Texts.BLOCK_BYTES) {
      log++;
    }
    this.logSize = log;
  }

  /** Returns the base 2 logarithm of the number of texts in a block. */
  public int logSize() {
    return logSize;
  }

  /** Returns the sampling distance: the caller adds each block whose index is a multiple of it. */
  public long every() {
    final long least = Math.max(CostModel.Texts.LEAST_BLOCK_SAMPLE, numBytes / CostModel.Texts.BYTES_PER_SAMPLED);
    return Math.max(1, numBytes / Math.min(CostModel.Texts.MOST_BLOCK_SAMPLE, least));
  }

  /** Adds a block to the sample, unless the sample is full. */
  public void add(byte[][] texts, int[] lengths, int count) {
    if (sampleBytes > 2 * CostModel.Texts.MOST_BLOCK_SAMPLE) {
      return;
    }
    final int size = plain.put(texts, lengths, count);
    blocks.add(Arrays.copyOf(plain.bytes(), size));
    sampleBytes += size;
    if (size == 0) {
      tooLarge += Arrays.stream(lengths, 0, count).asLongStream().sum();
    }
  }

  /** Trains the model on the whole sample. */
  public TextModel train() {
    return train(1, CostModel.Texts.MOST_DICTIONARY);
  }

  /** Returns whether training takes tens of milliseconds. */
  public boolean isSlow() {
    return sampleBytes > CostModel.Texts.SLOW_SAMPLE;
  }

  /** Trains a cheaper model that compresses almost as well, to find out whether a full training is worth its time. */
  public TextModel sketch() {
    return train(CostModel.Texts.BLOCKS_PER_SKETCHED, CostModel.Texts.SKETCHED_DICTIONARY);
  }

  /** Trains on one of {@code every} blocks of the sample. */
  private TextModel train(int every, int mostDictionary) {
    return new BlockModel(logSize, ByteBuffer.wrap(dictionary(every, mostDictionary)));
  }

  private byte[] dictionary(int every, int mostDictionary) {
    final int size =
        (int) Math.min(mostDictionary, Long.highestOneBit(numBytes / CostModel.Texts.BYTES_PER_DICTIONARY));
    if (size < CostModel.Texts.LEAST_DICTIONARY || sampleBytes == 0) {
      return new byte[0];
    }
    final ZstdDictTrainer trainer = new ZstdDictTrainer(sampleBytes, size, LEVEL);
    for (int block = 0; block < blocks.size(); block += every) {
      trainer.addSample(blocks.get(block));
    }
    try {
      return trainer.trainSamples();
    } catch (ZstdException e) {
      // Zstandard fails if there are too few blocks, or if they have nothing in common.
      return new byte[0];
    }
  }

  /** Returns the mean size of a bucket in bytes, over a part of the sample. */
  public double bytesOf(TextModel model) {
    final int every = Math.max(1, blocks.size() / CostModel.Texts.MEASURED_BLOCKS);
    long bytes = 0;
    int count = 0;
    try (BlockBucket.Writer writer = new BlockBucket.Writer((BlockModel) model)) {
      for (int block = 0; block < blocks.size(); block += every, count++) {
        final byte[] plainBlock = blocks.get(block);
        final int size = writer.encode(plainBlock, plainBlock.length);
        bytes += size == 0 ? 1 + plainBlock.length : size;
      }
    }
    return (double) bytes / count + (double) tooLarge / blocks.size();
  }
}
