package io.tsdbsuite.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free TCP ports of the loopback address.
 *
 * <p>The ports are below the kernel's range for outgoing connections, so that no such connection
 * takes a port between the choice here and the server's bind. Each JVM takes them from ranges of
 * its own, so that two concurrent builds never choose the same: it listens on the first port of a
 * range for as long as it lives. A server that stops and starts finds its port free again.
 */
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int RANGE = 100;
  private static final int RANGES = 120;
  private static final List<ServerSocket> HELD = new ArrayList<>();

  private static int next;
  private static int end;

  private FreePorts() {}

  /**
   * A free port, different at every call.
   *
   * @return the port
   * @throws ServerException when none is found
   */
  public static synchronized int next() {
    while (true) {
      if (next == end) {
        holdRange();
      }
      int port = next++;
      if (isFree(port)) {
        return port;
      }
    }
  }

  /** Begins a range that no other JVM has, at a random one. */
  private static void holdRange() {
    int random = ThreadLocalRandom.current().nextInt(RANGES);
    for (int i = 0; i < RANGES; i++) {
      int first = FIRST + (random + i) % RANGES * RANGE;
      try {
        HELD.add(listen(first));
        next = first + 1;
        end = first + RANGE;
        return;
      } catch (IOException e) {
        // Another JVM has it.
      }
    }
    throw new ServerException(
        "no free port between " + FIRST + " and " + (FIRST + RANGES * RANGE - 1));
  }

  /**
   * Whether a server can listen on a port now.
   *
   * @param port the port
   * @return true if it is free
   */
  public static boolean isFree(int port) {
    try (ServerSocket socket = listen(port)) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }
}
