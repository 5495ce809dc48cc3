package net.opentsdb.tsd;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;

/**
 * The requests that clients need who read: a proxy may open the prefix for them. All others, such
 * as {@code api/put}, {@code api/uid}, {@code q} and {@code diediedie}, are refused.
 */
final class ReadRequests {
  private static final Set<String> ROUTES =
      new HashSet<>(Arrays.asList("api/query", "api/suggest", "api/aggregators", "api/version"));

  private static final Set<String> ANNOTATIONS =
      new HashSet<>(Arrays.asList("api/annotation", "api/annotations"));

  private ReadRequests() {}

  /**
   * Refuses what is no read.
   *
   * @param route of the request, by which the TSD finds its handler
   * @throws BadRequestException with status 403
   */
  static void require(HttpQuery http, String route) {
    if (!isRead(http, route)) {
      throw new BadRequestException(
          HttpResponseStatus.FORBIDDEN,
          "rollup-query does not pass on this request; without the prefix the TSD answers it",
          "tsd.rollup_query.pass_through is read");
    }
  }

  private static boolean isRead(HttpQuery http, String route) {
    if (ROUTES.contains(route)) {
      return true;
    }
    if (ANNOTATIONS.contains(route)) {
      return http.getAPIMethod().equals(HttpMethod.GET);
    }
    if (route.equals("api/config") || route.equals("api/search")) {
      String[] path = http.explodeAPIPath();
      String endpoint = path.length > 1 ? path[1].toLowerCase(Locale.ROOT) : "";
      return endpoint.equals(route.equals("api/config") ? "filters" : "lookup");
    }
    return false;
  }
}
