// SPDX-License-Identifier: Apache-2.0
/** Numbers under a general-purpose codec, in a frame or as they are. */
package io.shapeshift.druid.form.numbers.codec;
