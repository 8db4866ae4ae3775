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

  private FreePorts() {}

  /** A port that was not given before: the system may offer the same again before a service listens on it. */
  static synchronized int next() throws IOException {
    while (true) {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        if (GIVEN.add(socket.getLocalPort())) {
          return socket.getLocalPort();
        }
      }
    }
  }
}
