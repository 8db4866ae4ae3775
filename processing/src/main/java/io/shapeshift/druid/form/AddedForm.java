// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.api.DamagedChunkException;
import io.shapeshift.druid.api.Encoding;
import io.shapeshift.druid.api.ReadCost;
import io.shapeshift.druid.api.SizeEstimate;
import io.shapeshift.druid.cost.DecodeCost;
import javax.annotation.Nullable;

/**
 * Form that adapts an encoding of another jar. Its id holds in this process only; a column that uses it records the
 * name ({@link AddedNames}).
 */
public interface AddedForm {
  /** Returns the id, {@link AddedNames#FIRST_ID} or more. */
  byte id();

  /** Returns the name of the encoding. */
  String name();

  /**
   * Returns the exception for a failure of the encoding's reader, which is a damaged chunk or a fault of the encoding.
   * An error of the JVM is thrown instead.
   */
  static MalformedChunkException notRead(String encoding, Throwable e) {
    throwIfFatal(e);
    return e instanceof DamagedChunkException
           ? new MalformedChunkException(encoding + ": " + e.getMessage(), e)
           : new MalformedChunkException(encoding + " failed, of damaged bytes or by a fault in its jar: " + e, e);
  }

  /**
   * Returns the exception for a failure of the encoding's writer. An error of the JVM is thrown instead.
   *
   * @param doing what the encoding did, as in {@code "to estimate"}
   */
  static EncodingException notWritten(String encoding, String doing, int numValues, Throwable e) {
    throwIfFatal(e);
    return new EncodingException(
        "Encoding[" + encoding + "] failed " + doing + " " + numValues + " values: " + e
            + ". Report this to the author of the jar that has it, and remove the jar where segments are written",
        e
    );
  }

  private static void throwIfFatal(Throwable e) {
    if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {
      throw fatal;
    }
  }

  /**
   * Returns what an encoding's method returned.
   *
   * @throws NullPointerException if it is null; the message names the method
   */
  static <T> T required(@Nullable T returned, String method) {
    if (returned == null) {
      throw new NullPointerException("it returned null from " + method + "()");
    }
    return returned;
  }

  /**
   * Returns what an encoding's method says of the encoding when it is registered.
   *
   * @throws EncodingException if it is null
   */
  static <T> T described(Encoding encoding, @Nullable T returned, String method) {
    if (returned == null) {
      throw new EncodingException("Encoding[" + encoding.name() + "] returned null from " + method
          + "(). Report this to the author of the jar that has it, and remove the jar");
    }
    return returned;
  }

  /**
   * Returns the cost of an encoding as selection weighs it.
   *
   * @throws EncodingException if it has none
   */
  static DecodeCost cost(Encoding encoding) {
    final ReadCost cost = described(encoding, encoding.cost(), "cost");
    return DecodeCost.factors(cost.smaller(), cost.fastButSmallish(), cost.faster());
  }

  /**
   * Returns an encoding's estimate as that of its form, which writes the id too.
   *
   * @param most greatest size of a chunk
   */
  static Estimate estimate(SizeEstimate estimate, int most) {
    if (estimate.isSkip() || estimate.bytes() >= most) {
      return Estimate.SKIP;
    }
    return estimate.isExact() ? Estimate.exact(1 + estimate.bytes()) : Estimate.TRY;
  }
}
