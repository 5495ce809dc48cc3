package io.tsdbsuite.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free TCP ports of the loopback address.
 *
 * <p>The ports are below the kernel's range for outgoing connections, so that no such connection
 * takes a port between the choice here and the server's bind. They are random, so that two
 * concurrent builds rarely collide.
 */
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int LAST = 32_000;
  private static final int TRIES = 10_000;
  private static final Set<Integer> GIVEN = new HashSet<>();

  private FreePorts() {}

  /**
   * A free port, different at every call.
   *
   * @return the port
   * @throws ServerException when none is found
   */
  public static synchronized int next() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      if (!GIVEN.contains(port) && isFree(port)) {
        GIVEN.add(port);
        return port;
      }
    }
    throw new ServerException("no free port between " + FIRST + " and " + LAST);
  }

  /**
   * Whether a server can listen on a port now.
   *
   * @param port the port
   * @return true if it is free
   */
  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
