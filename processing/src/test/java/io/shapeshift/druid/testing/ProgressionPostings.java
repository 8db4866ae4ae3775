// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import io.shapeshift.druid.api.DamagedChunkException;
import io.shapeshift.druid.api.PostingEncoding;
import io.shapeshift.druid.api.PostingReader;
import io.shapeshift.druid.api.PostingValues;
import io.shapeshift.druid.api.ReadCost;
import io.shapeshift.druid.api.SizeEstimate;
import java.nio.ByteBuffer;

/** Encoding of another jar for tests: lists of every 1009th row, and nothing else. */
public final class ProgressionPostings implements PostingEncoding {
  public static final String NAME = "test.progressions";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ReadCost cost() {
    return ReadCost.NONE;
  }

  @Override
  public SizeEstimate estimate(PostingValues lists) {
    for (int list = 0; list < lists.numLists(); list++) {
      if (lists.size(list) == 0 || lists.row(list, 0) >= ModularInts.MODULUS) {
        return SizeEstimate.skip();
      }
      int row = lists.row(list, 0);
      for (int i = 0; i < lists.size(list); i++, row += ModularInts.MODULUS) {
        if (lists.row(list, i) != row) {
          return SizeEstimate.skip();
        }
      }
      if (row < lists.numRows()) {
        return SizeEstimate.skip();
      }
    }
    return SizeEstimate.exact(Short.BYTES * lists.numLists());
  }

  @Override
  public void encode(PostingValues lists, ByteBuffer out) {
    for (int list = 0; list < lists.numLists(); list++) {
      out.putShort((short) lists.row(list, 0));
    }
  }

  @Override
  public PostingReader open(ByteBuffer chunk, int numLists, int numRows) {
    if (chunk.limit() != Short.BYTES * numLists) {
      throw new DamagedChunkException(chunk.limit() + " bytes, expected " + Short.BYTES * numLists);
    }
    return (list, rows) -> {
      for (int row = chunk.getShort(Short.BYTES * list); row < numRows; row += ModularInts.MODULUS) {
        rows.row(row);
      }
    };
  }
}
