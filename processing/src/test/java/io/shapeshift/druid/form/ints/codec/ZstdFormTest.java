// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import com.github.luben.zstd.Zstd;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.ints.runs.RunLengthForm;
import java.util.Arrays;
import java.util.List;

class ZstdFormTest extends CompressedFormContract {
  @Override
  public IntForm form() {
    return IntForms.byId((byte) 7);
  }

  @Override
  byte[] decompress(byte[] compressed) {
    final byte[] payload = new byte[Limits.MAX_PAYLOAD_BYTES];
    return Arrays.copyOf(payload, (int) Zstd.decompress(payload, compressed));
  }

  @Override
  List<IntForm> innerForms() {
    return List.of(new RunLengthForm(), new ByteDictionaryForm(), new ShuffleForm(), new BitsForm());
  }

  @Override
  int compressQuickly(byte[] payload) {
    return Zstd.compress(payload, 3).length;
  }
}
