// SPDX-License-Identifier: Apache-2.0
/** Patched frame of reference: bit packing of most values, with exceptions stored separately. */
package io.shapeshift.druid.form.ints.patched;
