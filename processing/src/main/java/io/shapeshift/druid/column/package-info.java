// SPDX-License-Identifier: Apache-2.0
/** Shape-shifting columns: header, composition, mapping of positions to chunks, and writing. */
package io.shapeshift.druid.column;
