// SPDX-License-Identifier: Apache-2.0
/** Entry points of the extension into Druid: the Guice module, and the packages that it registers. */
package io.shapeshift.druid.segment;
