// SPDX-License-Identifier: Apache-2.0
/** Runs of equal values: run ends, which are read where they lie, and run length. */
package io.shapeshift.druid.form.ints.runs;
