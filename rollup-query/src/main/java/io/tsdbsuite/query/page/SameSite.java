package io.tsdbsuite.query.page;

import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rejects requests that a page of another site makes through a browser: it could not read the
 * answers, but their time and size. Browsers name its site; curl names none.
 */
final class SameSite {
  private SameSite() {}

  /**
   * Why a request is refused; empty if it is not.
   *
   * @param headers returns the value of a header, or null
   */
  static String refusal(Function<String, @Nullable String> headers) {
    String site = headers.apply("Sec-Fetch-Site");
    if (site != null) {
      return site.equals("same-origin") || site.equals("none")
          ? ""
          : "Sec-Fetch-Site must be same-origin or none, found " + site;
    }
    // An old browser, or none. A proxy may change the host, which a new browser looks at itself.
    String origin = headers.apply("Origin");
    String host = headers.apply("Host");
    if (origin != null && !isOf(origin, host)) {
      return "Origin must be that of the TSD, " + host + ", found " + origin;
    }
    return "";
  }

  /** Whether an origin, scheme://host:port, has this host:port. */
  private static boolean isOf(String origin, @Nullable String host) {
    int end = origin.indexOf("://");
    return end > 0
        && host != null
        && origin.substring(end + 3).toLowerCase(Locale.ROOT).equals(host.toLowerCase(Locale.ROOT));
  }
}
