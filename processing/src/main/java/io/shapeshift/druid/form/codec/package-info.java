// SPDX-License-Identifier: Apache-2.0
/** LZ4 and Zstandard, and the buffers that they need. */
package io.shapeshift.druid.form.codec;
