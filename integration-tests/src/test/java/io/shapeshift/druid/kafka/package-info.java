// SPDX-License-Identifier: Apache-2.0

/**
 * Extension for tests that reads Kafka, in place of Druid's {@code druid-kafka-indexing-service}, of which version 37
 * cannot be had from the registry, and version 33 does not link against Druid 37: constructors of its base classes have
 * changed. All that matters for segments is Druid's own and runs as released: the supervisor, the tasks and their
 * runner, the appenderator, the hand-off, the transactions of offsets and segments. This package adds what the released
 * extension adds to it, in its own words: a consumer, offsets, and the JSON of specifications and tasks.
 *
 * <p>It leaves out: several topics by a pattern, keys, headers and timestamps of records as columns, overrides of the
 * consumer's configuration, the sampler, lag in milliseconds, metrics of the consumer, and reset of offsets that Kafka
 * has deleted, for which it fails.
 */
package io.shapeshift.druid.kafka;
