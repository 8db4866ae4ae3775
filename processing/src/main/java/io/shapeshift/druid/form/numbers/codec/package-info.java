// SPDX-License-Identifier: Apache-2.0
/** Numbers under a general-purpose codec, with or without a frame. */
package io.shapeshift.druid.form.numbers.codec;
