// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.Form;

/** Form of chunks of numbers. */
public interface NumberForm extends Form<NumberChunk, NumberChunkReader> {}
