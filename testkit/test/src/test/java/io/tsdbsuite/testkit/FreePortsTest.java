package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  @Test
  void givesAnotherPortEveryTime() {
    Set<Integer> ports = new HashSet<>();
    // More than a range has.
    for (int i = 0; i < 150; i++) {
      assertThat(ports.add(FreePorts.next())).isTrue();
    }
  }

  /** Another JVM finds the first port taken, and takes another range. */
  @Test
  void holdsTheRangeOfItsPorts() {
    int port = FreePorts.next();
    assertThat(FreePorts.isFree(port - port % 100)).isFalse();
  }

  @Test
  void aTakenPortIsNotFree() throws IOException {
    int port = FreePorts.next();
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(socket.getLocalPort()).isEqualTo(port);
      assertThat(FreePorts.isFree(port)).isFalse();
    }
    assertThat(FreePorts.isFree(port)).isTrue();
  }
}
