// SPDX-License-Identifier: Apache-2.0
/** Strings in direct memory, their dictionary and its order, and Druid's indexer on top of it. */
package io.shapeshift.druid.incremental.strings;
