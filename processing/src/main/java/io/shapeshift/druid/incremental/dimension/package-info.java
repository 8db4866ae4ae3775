// SPDX-License-Identifier: Apache-2.0
/** Dimensions by type: how a value is hashed, compared, written to a row and read from it. */
package io.shapeshift.druid.incremental.dimension;
