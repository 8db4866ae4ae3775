// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.EncodingException;
import io.shapeshift.druid.testing.ModularInts;
import io.shapeshift.druid.testing.ProgressionPostings;
import io.shapeshift.druid.testing.RootNumbers;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.junit.jupiter.api.Test;

class EncodingContractTest {
  private static final int[] SAMPLE =
      IntStream.range(0, 5000).map(i -> i * ModularInts.STEP % ModularInts.MODULUS).toArray();

  /** Plain ints, with one fault. */
  private static class Plain implements IntEncoding {
    final IntUnaryOperator fault;

    Plain(IntUnaryOperator fault) {
      this.fault = fault;
    }

    @Override
    public String name() {
      return "test.plain";
    }

    @Override
    public ReadCost cost() {
      return ReadCost.NONE;
    }

    @Override
    public Set<IntUse> uses() {
      return EnumSet.of(IntUse.IDS);
    }

    @Override
    public SizeEstimate estimate(IntValues values) {
      return SizeEstimate.exact(Integer.BYTES * values.size());
    }

    @Override
    public double scanNanos(IntValues values) {
      return 1;
    }

    @Override
    public double sparseNanos(IntValues values) {
      return 0;
    }

    @Override
    public void encode(IntValues values, ByteBuffer out) {
      for (int i = 0; i < values.size(); i++) {
        out.putInt(values.get(i));
      }
    }

    @Override
    public IntReader open(ByteBuffer chunk, int numValues) {
      return index -> fault.applyAsInt(chunk.getInt(Integer.BYTES * index));
    }
  }

  @Test
  void acceptsEncodingsThatKeepIt() {
    EncodingContract.check(new ModularInts("test.modular"), SAMPLE);
    EncodingContract.check(new Plain(value -> value));
    EncodingContract.check(new RootNumbers(), IntStream.range(9, 3000).mapToLong(
        i -> Double.doubleToRawLongBits(Math.sqrt(i))).toArray());
    EncodingContract.check(
        new ProgressionPostings(), IntStream.range(0, 100_000).filter(row -> row % 1009 == 5).toArray());
  }

  @Test
  void findsAWrongValue() {
    final EncodingException e = assertThrows(
        EncodingException.class,
        () -> EncodingContract.check(new Plain(value -> value == 1000 ? 1 : value), SAMPLE)
    );
    assertTrue(e.getMessage().startsWith("Encoding[test.plain] failed to encode 5000 values: java.lang"
        + ".IllegalStateException: it reads 1 at "), e.getMessage());
  }

  /** A service would not start with it. */
  @Test
  void findsANameThatIsReserved() {
    final AssertionError e = assertThrows(
        AssertionError.class, () -> EncodingContract.check(new ModularInts("shapeshift.modular"), SAMPLE));
    assertTrue(
        e.getMessage().startsWith("The name[shapeshift.modular] of the encoding " + ModularInts.class.getName()
            + " is not allowed: it needs two or more words with dots between them"),
        e.getMessage()
    );
  }

  @Test
  void findsANullThatIsReturned() {
    final EncodingException e =
        assertThrows(EncodingException.class, () -> EncodingContract.check(new Plain(value -> value) {
          @Nullable
          @Override
          public IntReader open(ByteBuffer chunk, int numValues) {
            return null;
          }
        }, SAMPLE));
    assertTrue(e.getMessage().contains("it returned null from open()"), e.getMessage());
  }

  /** An encoding that skips all else would otherwise seem to be checked with all of it. */
  @Test
  void saysHowManyOfItsOwnValuesAreStored() {
    final EncodingContract.Tally tally = new EncodingContract.Tally("test.modular", List.of(1));
    tally.add(1, true);
    tally.add(2, true);
    tally.add(3, false);
    assertEquals(
        "test.modular keeps the contract; it stored 1 of the contract's 2 sets of values", tally.summary());
  }

  @Test
  void wantsSamplesThatAreStored() {
    final AssertionError e = assertThrows(
        AssertionError.class,
        () -> EncodingContract.check(new ModularInts("test.modular"), SAMPLE, new int[]{1, 2, 3})
    );
    assertEquals("test.modular skips sample 1", e.getMessage());
    final AssertionError ofLists = assertThrows(
        AssertionError.class, () -> EncodingContract.check(new ProgressionPostings(), new int[]{1, 2, 4, 9}));
    assertEquals("test.progressions skips sample 0", ofLists.getMessage());
  }

  @Test
  void findsAWrongEstimate() {
    final AssertionError e = assertThrows(AssertionError.class, () -> EncodingContract.check(new Plain(value -> value) {
      @Override
      public SizeEstimate estimate(IntValues values) {
        return SizeEstimate.exact(values.size());
      }
    }, new int[]{1, 2, 3}));
    assertEquals("test.plain of 3 ints [1, 2, 3]: it takes 12 bytes, and estimated 3", e.getMessage());
  }

  @Test
  void wantsValuesThatAreStored() {
    final AssertionError e =
        assertThrows(AssertionError.class, () -> EncodingContract.check(new ProgressionPostings()));
    assertEquals("test.progressions skips all values: pass samples that it stores", e.getMessage());
  }
}
