// SPDX-License-Identifier: Apache-2.0

/**
 * Tests of the extension in a real Druid: {@link io.shapeshift.druid.cluster.DruidCluster} runs all services in this
 * JVM, {@link io.shapeshift.druid.cluster.DruidProcesses} runs each in a process of its own, as an operator would, and
 * {@link io.shapeshift.druid.cluster.DruidApi} talks to either. {@link io.shapeshift.druid.cluster.StoredColumn} shows
 * them what Druid has written. Nothing here uses the tool, so that both are tested at a time.
 *
 * <p><b>The stubs.</b> Druid's commands ({@code org.apache.druid.cli.CliBroker} and the like) name modules of its SQL
 * and multi-stage query jars, which these tests leave out. The services start just as well without what these modules
 * bind, as long as the classes exist: native queries and native ingestion do not need them. Hence the empty modules in
 * {@code org.apache.druid.sql} and {@code org.apache.druid.msq} next to this package, the only classes of this project
 * under {@code org.apache.druid}. They exist in the tests only and are in no jar.
 */
package io.shapeshift.druid.cluster;
