package io.tsdbsuite.bench.load;

import java.util.ArrayList;
import java.util.List;

/**
 * Address of a TSD.
 *
 * @param host name or address
 * @param port TCP port of both HTTP and telnet
 */
public record TsdAddress(String host, int port) {
  private static final int MAX_PORT = 65_535;

  /**
   * Parses {@code host:port[,host:port...]}.
   *
   * @param option the option, for messages
   * @param problems receives a sentence for each invalid address
   */
  static List<TsdAddress> parse(String option, String text, List<String> problems) {
    List<TsdAddress> addresses = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int colon = part.lastIndexOf(':');
      int port = port(part.substring(colon + 1));
      if (colon < 1 || port < 1 || port > MAX_PORT) {
        problems.add(option + " must be host:port[,host:port...], port 1 to 65535, found " + part);
      } else {
        addresses.add(new TsdAddress(part.substring(0, colon), port));
      }
    }
    return addresses;
  }

  private static int port(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
