// SPDX-License-Identifier: Apache-2.0
/** Entropy coding: frequent values take fewer bits. */
package io.shapeshift.druid.form.ints.entropy;
