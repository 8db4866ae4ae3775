// SPDX-License-Identifier: Apache-2.0
/**
 * Forms of numbers: the contract, the registry, chunks, readers and filters. Numbers become ints in a frame, or are
 * stored as they are.
 */
package io.shapeshift.druid.form.numbers;
