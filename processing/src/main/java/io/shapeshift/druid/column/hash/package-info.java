// SPDX-License-Identifier: Apache-2.0
/** Hash indexes: the rows of a value, found by the value's hash. */
package io.shapeshift.druid.column.hash;
