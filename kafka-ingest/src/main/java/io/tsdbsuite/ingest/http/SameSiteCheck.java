package io.tsdbsuite.ingest.http;

import io.tsdbsuite.ingest.http.Endpoints.Response;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rejects cross-site requests (CSRF): a web page of another site must not change rates through a
 * browser in the network of the TSD.
 *
 * <p>Such a page can send forms and simple requests to any address that the browser reaches.
 * Browsers name its site ({@code Origin}, {@code Sec-Fetch-Site}), and send custom headers only
 * after the server has allowed them.
 */
public final class SameSiteCheck {
  /** A required header, with any value. */
  public static final String HEADER = "X-Requested-By";

  private SameSiteCheck() {}

  /**
   * Checks a request that changes a rate.
   *
   * @param headers returns the value of a header, or null
   * @return null if it is allowed, else an error response
   */
  public static @Nullable Response refusal(Function<String, @Nullable String> headers) {
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
      return refused("the header " + HEADER + " is required, with any value", "none");
    }
    return null;
  }

  private static Response refused(String rule, String found) {
    return Response.error(
        403, "a rate is changed by requests of the same site alone: " + rule + ", found " + found);
  }

  /** Whether an origin, scheme://host:port, has this host:port. */
  private static boolean isOf(String origin, @Nullable String host) {
    int end = origin.indexOf("://");
    return end > 0
        && host != null
        && origin.substring(end + 3).toLowerCase(Locale.ROOT).equals(host.toLowerCase(Locale.ROOT));
  }
}
