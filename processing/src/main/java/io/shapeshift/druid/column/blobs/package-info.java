// SPDX-License-Identifier: Apache-2.0
/** Columns of byte strings: writing, the choice of their form, and reading. Knows nothing of what the bytes mean. */
package io.shapeshift.druid.column.blobs;
