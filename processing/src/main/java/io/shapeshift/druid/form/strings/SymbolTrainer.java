// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.cost.CostModel;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * FSST trainer: finds the symbols that shorten a sample of texts most. Each round encodes the sample with the symbols
 * found so far. Then it keeps those of the symbols, single bytes and adjacent pairs that save the most bytes. Early
 * rounds use only a part of the sample. Not thread-safe.
 */
public final class SymbolTrainer {
  /** First code of single bytes that are not symbols; smaller codes are symbols. */
  private static final int FIRST_BYTE = 256;
  private static final int NUM_CODES = 512;

  private final byte[] sample;
  private final int[] ends;
  private final int numTexts;
  private final int[] counts = new int[NUM_CODES];
  private final int[] pairCounts = new int[NUM_CODES * NUM_CODES];

  /**
   * Creates a trainer.
   *
   * @param sample the texts, one after the other, and eight more bytes
   * @param ends   end of each text
   */
  public SymbolTrainer(byte[] sample, int[] ends, int numTexts) {
    this.sample = sample;
    this.ends = ends;
    this.numTexts = numTexts;
  }

  /** A candidate for the table. */
  private record Symbol(long bytes, int length) {}

  /** A candidate and the number of bytes that it saves. */
  private record Gain(Symbol symbol, long bytes) {}

  /** Trains the symbols. */
  public SymbolTable train() {
    SymbolTable table = new SymbolTable(0, new long[FIRST_BYTE], new int[FIRST_BYTE]);
    final SymbolEncoder encoder = new SymbolEncoder(table);
    for (int round = 1; round <= CostModel.Texts.SYMBOL_ROUNDS; round++) {
      count(encoder, round);
      table = best(table);
      encoder.set(table);
    }
    return table;
  }

  private void count(SymbolEncoder encoder, int round) {
    Arrays.fill(counts, 0);
    Arrays.fill(pairCounts, 0);
    for (int text = 0; text < numTexts; text++) {
      // Early rounds use texts spread evenly over the sample.
      if (text % CostModel.Texts.SYMBOL_ROUNDS >= round) {
        continue;
      }
      final int to = ends[text];
      int before = -1;
      for (int at = text == 0 ? 0 : ends[text - 1]; at < to; ) {
        final int found = encoder.find(sample, at, to);
        final int code = found < 0 ? FIRST_BYTE + (sample[at] & 0xFF) : found;
        counts[code]++;
        if (before >= 0) {
          pairCounts[before * NUM_CODES + code]++;
        }
        before = code;
        at += found < 0 ? 1 : encoder.table().length(found);
      }
    }
  }

  private SymbolTable best(SymbolTable table) {
    final Map<Symbol, Long> gains = new HashMap<>();
    for (int code = 0; code < NUM_CODES; code++) {
      if (counts[code] == 0) {
        continue;
      }
      final Symbol symbol = symbol(table, code);
      add(gains, symbol, counts[code]);
      for (int next = 0; next < NUM_CODES; next++) {
        final int count = pairCounts[code * NUM_CODES + next];
        if (count >= CostModel.Texts.LEAST_COUNT) {
          final Symbol second = symbol(table, next);
          if (symbol.length < SymbolTable.MAX_LENGTH) {
            final int length = Math.min(SymbolTable.MAX_LENGTH, symbol.length + second.length);
            final long bytes = (symbol.bytes | second.bytes << (Byte.SIZE * symbol.length))
                & -1L >>> (Long.SIZE - Byte.SIZE * length);
            add(gains, new Symbol(bytes, length), count);
          }
        }
      }
    }
    final List<Gain> best = gains.entrySet().stream()
        .map(entry -> new Gain(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(Gain::bytes).reversed()
                          .thenComparingInt(gain -> gain.symbol.length)
                          .thenComparingLong(gain -> gain.symbol.bytes))
        .limit(SymbolTable.MAX_SYMBOLS)
        .toList();
    final long[] symbols = new long[FIRST_BYTE];
    final int[] lengths = new int[FIRST_BYTE];
    for (int code = 0; code < best.size(); code++) {
      symbols[code] = best.get(code).symbol.bytes;
      lengths[code] = best.get(code).symbol.length;
    }
    return new SymbolTable(best.size(), symbols, lengths);
  }

  private static void add(Map<Symbol, Long> gains, Symbol symbol, int count) {
    final int weight = symbol.length == 1 ? CostModel.Texts.SINGLE_BYTE : symbol.length;
    gains.merge(symbol, (long) count * weight, Long::sum);
  }

  private static Symbol symbol(SymbolTable table, int code) {
    return code >= FIRST_BYTE ? new Symbol(code - FIRST_BYTE, 1) : new Symbol(table.symbol(code), table.length(code));
  }
}
