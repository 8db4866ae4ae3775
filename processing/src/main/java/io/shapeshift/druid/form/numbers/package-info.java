// SPDX-License-Identifier: Apache-2.0
/**
 * Forms of numbers: the contract, the registry, chunks, readers and filters. Numbers are mapped to ints by a frame, or
 * are stored as plain bits.
 */
package io.shapeshift.druid.form.numbers;
