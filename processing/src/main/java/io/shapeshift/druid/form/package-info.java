// SPDX-License-Identifier: Apache-2.0
/**
 * Contract of a form: how it estimates, encodes and reads a chunk; and what forms share. Depends on bits, costs and
 * codecs.
 */
package io.shapeshift.druid.form;

