// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

/** Ports that were free a moment ago, so that a test can run beside another Druid on the same machine. */
final class FreePorts {
  private static final Set<Integer> GIVEN = new HashSet<>();
  /**
   * Number of this JVM: integration tests run in two JVMs at a time. Each has half of the ports, in pairs, because
   * operating systems prefer odd ones.
   */
  private static final int FORK = Integer.getInteger("test.fork", 0) % 2;

  private FreePorts() {}

  /** Returns a port that was not returned before: the system may offer a port again before a service listens on it. */
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
