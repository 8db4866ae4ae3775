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
 * Finds what {@link TextCoding#BLOCKS} needs from a sample of blocks: how many texts each has, and the dictionary that
 * makes them smallest. For one thread.
 */
public final class BlockTrainer {
  /** The dictionary's statistics are those of this level. */
  private static final int LEVEL = 19;

  private final long numBytes;
  private final int logSize;
  private int sampleBytes;
  /** Bytes of blocks that are too large to be compressed. */
  private long tooLarge;
  private final List<byte[]> blocks = new ArrayList<>();
  private final BlockTexts.Writer plain = new BlockTexts.Writer();

  /**
   * Makes one.
   *
   * @param numBytes of all texts, but for what each shares with the one before
   * @param numTexts at least 1
   */
  public BlockTrainer(long numBytes, int numTexts) {
    this.numBytes = numBytes;
    int log = 0;
    while (log < BlockModel.MAX_LOG_SIZE && (numBytes << (log + 1)) / numTexts <= CostModel.Texts.BLOCK_BYTES) {
      log++;
    }
    this.logSize = log;
  }

  /** The logarithm of the number of texts in each block. */
  public int logSize() {
    return logSize;
  }

  /** Distance of the blocks that are added to the sample. */
  public long every() {
    final long least = Math.max(CostModel.Texts.LEAST_BLOCK_SAMPLE, numBytes / CostModel.Texts.BYTES_PER_SAMPLED);
    return Math.max(1, numBytes / Math.min(CostModel.Texts.MOST_BLOCK_SAMPLE, least));
  }

  /** Adds a block to the sample, unless that is too large already. */
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

  /** The model. */
  public TextModel train() {
    return train(1, CostModel.Texts.MOST_DICTIONARY);
  }

  /** Whether training takes tens of milliseconds. */
  public boolean isSlow() {
    return sampleBytes > CostModel.Texts.SLOW_SAMPLE;
  }

  /** A model that takes a fraction of the time, and compresses little worse: to see whether another is worth it. */
  public TextModel sketch() {
    return train(CostModel.Texts.BLOCKS_PER_SKETCHED, CostModel.Texts.SKETCHED_DICTIONARY);
  }

  /** Trains with one of {@code every} blocks of the sample. */
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
      // Blocks are too few, or have nothing in common.
      return new byte[0];
    }
  }

  /** Bytes of a bucket on average, of some of the sample. */
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
