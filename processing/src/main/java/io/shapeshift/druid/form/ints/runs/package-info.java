// SPDX-License-Identifier: Apache-2.0
/** Runs of equal values: run-end encoding, which is read in place, and run length encoding. */
package io.shapeshift.druid.form.ints.runs;
