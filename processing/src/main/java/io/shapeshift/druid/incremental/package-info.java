// SPDX-License-Identifier: Apache-2.0
/**
 * Ingestion into direct memory: the {@code appendableIndexSpec} that a tuningConfig names, and packages for what it
 * makes.
 */
package io.shapeshift.druid.incremental;
