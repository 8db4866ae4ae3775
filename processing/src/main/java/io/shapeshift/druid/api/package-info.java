// SPDX-License-Identifier: Apache-2.0
/**
 * Public API for encodings of other jars. A jar with a {@code DruidModule} registers them with
 * {@link io.shapeshift.druid.api.ShapeShiftEncodings}; selection then chooses among them and the extension's own forms.
 *
 * <p>Only this package is public. From release 37.0.0-1 on, later releases keep its types and methods; a method that is
 * added to an interface for authors has a default. Interfaces of values and sinks are implemented by the extension
 * only, and may get further methods.
 */
package io.shapeshift.druid.api;

