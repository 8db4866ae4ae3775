// SPDX-License-Identifier: Apache-2.0
/**
 * Chunks under a general-purpose codec (LZ4, Zstandard) or FastPFOR, and the byte layouts that only codecs make small.
 */
package io.shapeshift.druid.form.ints.codec;
