// SPDX-License-Identifier: Apache-2.0
/** Direct memory: allocation, arenas, hash tables, and the count of readers that must leave before it is freed. */
package io.shapeshift.druid.incremental.memory;
