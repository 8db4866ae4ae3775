// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of a form: how it estimates, encodes and reads a chunk, and what forms share. Uses bits, costs and the
 * codecs.
 */
package io.shapeshift.druid.form;

