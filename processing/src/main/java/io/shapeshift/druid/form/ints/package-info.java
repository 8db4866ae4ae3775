// SPDX-License-Identifier: Apache-2.0
/**
 * Forms of ints: the contract that a form implements, the registry, chunks and their statistics, and the reader. Each
 * family of forms is a package below, and uses this package, {@code bits} and {@code cost} only.
 */
package io.shapeshift.druid.form.ints;

