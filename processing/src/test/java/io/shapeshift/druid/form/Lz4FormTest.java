// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.util.Arrays;
import net.jpountz.lz4.LZ4Factory;

class Lz4FormTest extends CompressedFormContract {
  @Override
  IntForm form() {
    return Forms.intForm((byte) 5);
  }

  @Override
  byte[] decompress(byte[] compressed) {
    final byte[] payload = new byte[Forms.MAX_PAYLOAD_BYTES];
    final int length = LZ4Factory.safeInstance().safeDecompressor().decompress(compressed, payload);
    return Arrays.copyOf(payload, length);
  }

  @Override
  int compressQuickly(byte[] payload) {
    return LZ4Factory.fastestInstance().fastCompressor().compress(payload).length;
  }

  @Override
  int compressThoroughly(byte[] payload) {
    return LZ4Factory.fastestInstance().highCompressor(12).compress(payload).length;
  }
}
