package io.tsdbsuite.bench.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Sockets with the limits that both protocols need. */
final class Sockets {
  /** Time-out of connections and answers. */
  static final int TIMEOUT_MILLIS = 60_000;

  private Sockets() {}

  static Socket connect(TsdAddress address) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(address.host(), address.port()), TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw new IOException("no connection to the TSD " + address + ": " + e.getMessage(), e);
    }
  }
}
