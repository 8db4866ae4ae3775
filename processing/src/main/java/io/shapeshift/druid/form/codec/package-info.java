// SPDX-License-Identifier: Apache-2.0
/** LZ4 and Zstandard codecs, and their buffers. */
package io.shapeshift.druid.form.codec;
