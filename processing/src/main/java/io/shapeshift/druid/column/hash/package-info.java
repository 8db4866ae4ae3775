// SPDX-License-Identifier: Apache-2.0
/** Hash indexes: rows by the hash of their value. */
package io.shapeshift.druid.column.hash;
