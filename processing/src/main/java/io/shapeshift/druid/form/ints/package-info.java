// SPDX-License-Identifier: Apache-2.0
/**
 * Forms of ints: the contract of a form, the registry, chunks and their statistics, and the reader. Each family of
 * forms is a subpackage, which depends only on this package, {@code bits} and {@code cost}.
 */
package io.shapeshift.druid.form.ints;

