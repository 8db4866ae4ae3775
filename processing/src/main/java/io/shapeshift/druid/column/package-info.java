// SPDX-License-Identifier: Apache-2.0
/** The column: header, composition, finding the chunk of a position, and writing. */
package io.shapeshift.druid.column;
