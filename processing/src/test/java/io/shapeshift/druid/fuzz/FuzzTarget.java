// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.fuzz;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import javax.annotation.Nullable;

/** Something that reads bytes of unknown origin, and either knows what they mean or refuses them. */
public interface FuzzTarget {
  /** The name, as of a constant of an enum. */
  String name();

  /** Inputs to start from, most of which mean something. */
  List<byte[]> seeds() throws IOException;

  /** Changes an input that would be refused too soon, for a checksum say. Each is changed before it is read. */
  default byte[] prepare(byte[] input) {
    return input;
  }

  /**
   * Reads an input in all ways.
   *
   * @return what is read, to be compared with that of the same bytes in other memory; null for nothing to compare
   * @throws Exception if the input is refused, or the target has a fault
   */
  @Nullable
  Object read(ByteBuffer input) throws Exception;

  /** Whether an exception is the one by which inputs are refused. */
  boolean isRefusal(Exception e);
}
