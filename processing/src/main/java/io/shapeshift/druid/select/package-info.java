// SPDX-License-Identifier: Apache-2.0
/** Selection of a form for each chunk, and of the number of values per chunk. Uses form and stock. */
package io.shapeshift.druid.select;
