package io.tsdbsuite.ingest.http;

import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Who may change rates: no page of another site that a browser of the network has open.
 *
 * <p>Such a page can send a form, or a request without special headers, to any address that the
 * browser reaches. Browsers say where it comes from ({@code Origin}, {@code Sec-Fetch-Site}), and
 * ask the server before they send a header of the page's choice.
 */
public final class RateGuard {
  /** The header that must be there, with any value. */
  public static final String HEADER = "X-Requested-By";

  private RateGuard() {}

  /**
   * Judges a request that changes a rate.
   *
   * @param headers the value of a header by its name, or null
   * @return null if it may; else what is wrong
   */
  public static Answer refusal(UnaryOperator<String> headers) {
    String site = headers.apply("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      return refused("Sec-Fetch-Site must be same-origin or none", site);
    }
    String origin = headers.apply("Origin");
    String host = headers.apply("Host");
    if (origin != null && !isOf(origin, host)) {
      return refused("Origin must be that of the TSD, " + host, origin);
    }
    String by = headers.apply(HEADER);
    if (by == null || by.isEmpty()) {
      return refused("the header " + HEADER + " must be there, with any value", "none");
    }
    return null;
  }

  private static Answer refused(String rule, String found) {
    return Answer.error(
        403, "a rate is changed by requests of the same site alone: " + rule + ", found " + found);
  }

  /** Whether an origin, scheme://host:port, has this host and port. */
  private static boolean isOf(String origin, String host) {
    int end = origin.indexOf("://");
    return end > 0
        && host != null
        && origin.substring(end + 3).toLowerCase(Locale.ROOT).equals(host.toLowerCase(Locale.ROOT));
  }
}
