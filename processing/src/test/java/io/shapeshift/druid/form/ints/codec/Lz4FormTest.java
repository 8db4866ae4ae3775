// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import java.util.Arrays;
import java.util.List;
import net.jpountz.lz4.LZ4Factory;

class Lz4FormTest extends CompressedFormContract {
  @Override
  public IntForm form() {
    return IntForms.byId((byte) 5);
  }

  @Override
  byte[] decompress(byte[] compressed) {
    final byte[] payload = new byte[Limits.MAX_PAYLOAD_BYTES];
    final int length = LZ4Factory.safeInstance().safeDecompressor().decompress(compressed, payload);
    return Arrays.copyOf(payload, length);
  }

  @Override
  List<IntForm> innerForms() {
    return List.of(new ByteDictionaryForm(), new ShuffleForm(), new BitsForm());
  }

  @Override
  int compressQuickly(byte[] payload) {
    return LZ4Factory.fastestInstance().fastCompressor().compress(payload).length;
  }
}
