// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

/** Ports that nobody listened on a moment ago, so that a test runs beside another Druid on the same machine. */
final class FreePorts {
  private static final Set<Integer> GIVEN = new HashSet<>();
  /** Integration tests run in two JVMs at a time. Each has half of the ports, by pairs, as systems prefer odd ones. */
  private static final int FORK = Integer.getInteger("test.fork", 0) % 2;

  private FreePorts() {}

  /** A port that was not given before: the system may offer the same again before a service listens on it. */
  static synchronized int next() throws IOException {
    while (true) {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        final int port = socket.getLocalPort();
        if (port / 2 % 2 == FORK && GIVEN.add(port)) {
          return port;
        }
      }
    }
  }
}
