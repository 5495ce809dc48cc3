package net.opentsdb.tsd;

import io.tsdbsuite.query.http.QueryService;
import io.tsdbsuite.query.run.QueryAbortedException;
import io.tsdbsuite.query.run.StockRunner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.opentsdb.auth.AuthState;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.query.expression.ExpressionTree;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * The handler of /api/query. It passes on to OpenTSDB's handler what that one must answer: last
 * points, {@code exp}, deletes, histograms and pre-aggregates, and each request that cannot be
 * read, so that its error is OpenTSDB's own.
 *
 * <p>OpenTSDB obeys {@code "delete": true} in a body even if {@code tsd.http.query.allow_delete} is
 * off. This handler refuses it, as OpenTSDB refuses the method DELETE. It also refuses a body for
 * {@code gexp}: OpenTSDB runs the query without limits, and answers an error; and what deletes raw
 * data that may be gone, with the only rollups perhaps.
 */
final class RollupQueryRpc implements HttpRpc {
  private final HttpRpc stock;
  private final QueryService service;
  private final StockRunner floors;
  private final boolean coarse;

  /**
   * @param floors asked before something is deleted
   * @param coarse whether downsamplers may be widened
   */
  RollupQueryRpc(HttpRpc stock, QueryService service, StockRunner floors, boolean coarse) {
    this.stock = stock;
    this.service = service;
    this.floors = floors;
    this.coarse = coarse;
  }

  @Override
  public void execute(TSDB tsdb, HttpQuery http) throws IOException {
    HttpQueryExchange exchange = read(tsdb, http);
    if (exchange == null) {
      passOn(tsdb, http);
      return;
    }
    authorize(tsdb, http.channel(), exchange.query());
    if (deletes(http, exchange.query())) {
      floors
          .requireMayDelete(tsdb, exchange.query())
          .addCallback(
              done -> {
                passOn(tsdb, http);
                return done;
              })
          .addErrback(
              (Exception failure) -> {
                fail(http, failure);
                return "";
              });
      return;
    }
    service.answer(tsdb, exchange, coarse);
  }

  private void passOn(TSDB tsdb, HttpQuery http) throws IOException {
    service.counts().passedOn();
    stock.execute(tsdb, http);
  }

  /** As OpenTSDB's RpcHandler, and with the status of a refusal. */
  private static void fail(HttpQuery http, Exception failure) {
    if (failure instanceof QueryAbortedException) {
      int status = ((QueryAbortedException) failure).reason().status();
      http.badRequest(
          new BadRequestException(
              HttpResponseStatus.valueOf(status), String.valueOf(failure.getMessage())));
    } else if (failure instanceof BadRequestException) {
      http.badRequest((BadRequestException) failure);
    } else {
      http.internalError(failure);
    }
  }

  private static boolean deletes(HttpQuery http, TSQuery query) {
    return http.getAPIMethod().equals(HttpMethod.DELETE) || query.getDelete();
  }

  /** The query of a request; null if OpenTSDB's handler must answer. */
  private @Nullable HttpQueryExchange read(TSDB tsdb, HttpQuery http) {
    boolean post = http.method().equals(HttpMethod.POST);
    boolean delete =
        http.method().equals(HttpMethod.DELETE)
            && tsdb.getConfig().getBoolean("tsd.http.query.allow_delete");
    if (!post && !delete && !http.method().equals(HttpMethod.GET)) {
      return null;
    }
    List<ExpressionTree> expressions = new ArrayList<>();
    boolean gexp;
    TSQuery query;
    try {
      String[] path = http.explodeAPIPath();
      String endpoint = path.length > 1 ? path[1].toLowerCase(Locale.ROOT) : "";
      gexp = endpoint.equals("gexp");
      if (endpoint.equals("last") || endpoint.equals("exp")) {
        return null;
      }
      query =
          post ? http.serializer().parseQueryV1() : QueryRpc.parseQuery(tsdb, http, expressions);
    } catch (RuntimeException e) {
      // OpenTSDB reads it again, and fails in its own words.
      return null;
    }
    requireMayDelete(tsdb, query);
    if (gexp && post) {
      // OpenTSDB runs the query without limits, and fails after that.
      throw new BadRequestException(
          HttpResponseStatus.BAD_REQUEST,
          "Bad request",
          "gexp takes expressions from the parameter exp of a GET; a body of a POST has none");
    }
    try {
      query.validateAndSetQuery();
    } catch (RuntimeException e) {
      // As above.
      return null;
    }
    return !deletes(http, query) && query.getQueries().stream().allMatch(this::isStock)
        ? null
        : new HttpQueryExchange(http, query, gexp ? expressions : null);
  }

  private static void requireMayDelete(TSDB tsdb, TSQuery query) {
    if (query.getDelete() && !tsdb.getConfig().getBoolean("tsd.http.query.allow_delete")) {
      throw new BadRequestException(
          HttpResponseStatus.BAD_REQUEST,
          "Bad request",
          "Deleting data is not enabled (tsd.http.query.allow_delete=false)");
    }
  }

  private boolean isStock(TSSubQuery query) {
    return query.isPreAggregate()
        || query.getShowHistogramBuckets()
        || (query.isHistogramQuery() && !service.readsHistograms(query));
  }

  static void authorize(TSDB tsdb, Channel channel, TSQuery query) {
    if (!tsdb.getConfig().getBoolean("tsd.core.authentication.enable")
        || !tsdb.getAuth().isReady(tsdb, channel)) {
      return;
    }
    AuthState user = (AuthState) channel.getAttachment();
    AuthState answer = tsdb.getAuth().authorization().allowQuery(user, query);
    HttpResponseStatus status;
    switch (answer.getStatus()) {
      case SUCCESS:
        return;
      case UNAUTHORIZED:
        QueryRpc.query_unauthorized.incrementAndGet();
        status = HttpResponseStatus.UNAUTHORIZED;
        break;
      case FORBIDDEN:
        QueryRpc.query_forbidden.incrementAndGet();
        status = HttpResponseStatus.FORBIDDEN;
        break;
      default:
        QueryRpc.query_exceptions.incrementAndGet();
        status = HttpResponseStatus.INTERNAL_SERVER_ERROR;
    }
    throw new BadRequestException(status, answer.getMessage());
  }
}
