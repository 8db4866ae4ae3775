// SPDX-License-Identifier: Apache-2.0
/** The choice of a form for each chunk, and of the number of values that share one. Uses form and stock. */
package io.shapeshift.druid.select;
