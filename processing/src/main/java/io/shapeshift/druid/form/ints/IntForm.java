// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Form;

/** A form of int chunks. */
public interface IntForm extends Form<IntChunk, IntChunkReader> {}
