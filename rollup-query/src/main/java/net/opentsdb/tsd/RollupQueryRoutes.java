package net.opentsdb.tsd;

import com.google.common.collect.ImmutableMap;
import io.tsdbsuite.query.http.QueryService;
import io.tsdbsuite.query.page.QueryExplainer;
import io.tsdbsuite.query.run.StockRunner;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import net.opentsdb.core.TSDB;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The routes of a TSD's HTTP API, whose queries a {@link QueryService} answers: below a prefix, and
 * in place. A request goes through the same steps as in OpenTSDB's RpcHandler, which has dealt with
 * CORS before.
 */
public final class RollupQueryRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(RollupQueryRoutes.class);

  private final TSDB tsdb;
  private final @Nullable QueryService service;
  private final @Nullable StockRunner floors;
  private final boolean passesAll;
  private volatile @Nullable RpcManager manager;

  /**
   * Creates the routes.
   *
   * @param service null: OpenTSDB answers all queries
   * @param floors asked before something is deleted; null if the service is
   * @param passesAll whether requests that are no reads are answered below the prefix
   */
  public RollupQueryRoutes(
      TSDB tsdb, @Nullable QueryService service, @Nullable StockRunner floors, boolean passesAll) {
    this.tsdb = tsdb;
    this.floors = floors;
    this.passesAll = passesAll;
    this.service = service;
  }

  /**
   * Answers a request as if it had another URI.
   *
   * @param uri path and parameters without the prefix, beginning with a slash
   * @param coarse whether downsamplers may be widened
   */
  public void answer(HttpRpcPluginQuery request, String uri, boolean coarse) {
    answer(request, uri, found -> routed(found, coarse));
  }

  /**
   * Answers how a query would be read.
   *
   * @param parameters of the URI, with the question mark; may be empty
   */
  public void explain(HttpRpcPluginQuery request, String parameters, QueryExplainer explainer) {
    answer(request, "/api/query" + parameters, found -> new ExplainRpc(explainer));
  }

  private void answer(
      HttpRpcPluginQuery request, String uri, UnaryOperator<@Nullable HttpRpc> handlers) {
    request.request().setUri(uri);
    HttpQuery http = new HttpQuery(tsdb, request.request(), request.channel());
    for (Map.Entry<String, String> cors : request.response().headers()) {
      http.response().headers().add(cors.getKey(), cors.getValue());
    }
    try {
      String route = http.getQueryBaseRoute();
      http.setSerializer();
      if (!passesAll) {
        ReadRequests.require(http, route);
      }
      HttpRpc rpc = handlers.apply(manager().lookupHttpRpc(route));
      if (rpc == null) {
        http.notFound();
      } else {
        rpc.execute(tsdb, http);
      }
    } catch (BadRequestException e) {
      http.badRequest(e);
    } catch (Exception e) {
      http.internalError(e);
    }
  }

  /**
   * Replaces the handlers of queries in the TSD's own routes. Waits until the TSD has made them.
   *
   * @return false if there is none
   */
  public boolean takeOver() {
    if (!RpcManager.isInitialized()) {
      // Another plugin has stopped the start.
      return false;
    }
    try {
      Field field = RpcManager.class.getDeclaredField("http_commands");
      field.setAccessible(true);
      @SuppressWarnings("unchecked") // The type that RpcManager declares.
      Map<String, HttpRpc> routes = (Map<String, HttpRpc>) field.get(manager());
      Map<String, HttpRpc> replaced = new LinkedHashMap<>();
      boolean any = false;
      for (Map.Entry<String, HttpRpc> route : routes.entrySet()) {
        HttpRpc rpc = routed(route.getValue(), false);
        any |= rpc != route.getValue();
        replaced.put(route.getKey(), rpc);
      }
      field.set(manager(), ImmutableMap.copyOf(replaced));
      return any;
    } catch (ReflectiveOperationException e) {
      LOG.error("rollup-query: the routes of the TSD cannot be replaced", e);
      return false;
    }
  }

  private RpcManager manager() {
    RpcManager known = manager;
    if (known == null) {
      known = RpcManager.instance(tsdb);
      manager = known;
    }
    return known;
  }

  /** The handler that answers instead: of queries ours, else the same. */
  private @Nullable HttpRpc routed(@Nullable HttpRpc rpc, boolean coarse) {
    QueryService known = service;
    StockRunner asked = floors;
    return known != null && asked != null && rpc instanceof QueryRpc
        ? new RollupQueryRpc(rpc, known, asked, coarse)
        : rpc;
  }
}
