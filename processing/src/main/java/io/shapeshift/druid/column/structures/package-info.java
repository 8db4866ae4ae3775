// SPDX-License-Identifier: Apache-2.0
/**
 * Structures of objects: JSON objects without their values. Writing, reading, and rebuilding of objects from their
 * structure and the values of their fields.
 */
package io.shapeshift.druid.column.structures;
