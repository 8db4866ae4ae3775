// SPDX-License-Identifier: Apache-2.0
/** The incremental index that Druid calls: adding inputs, and reading rows through Druid's own interfaces. */
package io.shapeshift.druid.incremental.index;
