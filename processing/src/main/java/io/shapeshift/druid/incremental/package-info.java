// SPDX-License-Identifier: Apache-2.0
/**
 * Ingestion into direct memory: the {@code appendableIndexSpec} of a tuningConfig, and the packages of the incremental
 * index that it creates.
 */
package io.shapeshift.druid.incremental;
