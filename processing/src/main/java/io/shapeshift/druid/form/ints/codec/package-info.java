// SPDX-License-Identifier: Apache-2.0
/**
 * Chunks under a general-purpose codec (LZ4, Zstandard), and byte layouts that are small only when
 * compressed.
 */
package io.shapeshift.druid.form.ints.codec;
