package net.opentsdb.tsd;

import com.stumbleupon.async.DeferredGroupException;
import io.tsdbsuite.query.page.PageAnswer;
import io.tsdbsuite.query.page.QueryExplainer;
import io.tsdbsuite.query.run.QueryAbortedException;
import java.util.ArrayList;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.utils.JSON;
import org.hbase.async.HBaseException;
import org.hbase.async.RpcTimedOutException;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers how a query would be read: takes what /api/query takes. */
final class ExplainRpc implements HttpRpc {
  private static final Logger LOG = LoggerFactory.getLogger(ExplainRpc.class);

  private final QueryExplainer explainer;

  ExplainRpc(QueryExplainer explainer) {
    this.explainer = explainer;
  }

  @Override
  public void execute(TSDB tsdb, HttpQuery http) {
    PageAnswer.headers().forEach((name, value) -> http.response().headers().set(name, value));
    TSQuery query = parse(tsdb, http);
    RollupQueryRpc.authorize(tsdb, http.channel(), query);
    explainer
        .explain(tsdb, query)
        .addCallback(
            fields -> {
              http.sendReply(JSON.serializeToBytes(fields));
              return null;
            })
        .addErrback(
            (Exception failure) -> {
              fail(http, failure);
              return null;
            });
  }

  private static TSQuery parse(TSDB tsdb, HttpQuery http) {
    boolean post = http.method().equals(HttpMethod.POST);
    if (!post && !http.method().equals(HttpMethod.GET)) {
      throw new BadRequestException(
          HttpResponseStatus.METHOD_NOT_ALLOWED,
          "explain takes GET and POST, found " + http.method().getName());
    }
    TSQuery query =
        post
            ? http.serializer().parseQueryV1()
            : QueryRpc.parseQuery(tsdb, http, new ArrayList<>());
    try {
      query.validateAndSetQuery();
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(e);
    }
    return query;
  }

  private static void fail(HttpQuery http, Exception failure) {
    Throwable cause = failure;
    while (cause instanceof DeferredGroupException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof BadRequestException) {
      http.badRequest((BadRequestException) cause);
    } else if (cause instanceof HBaseException || cause instanceof QueryAbortedException) {
      LOG.error("a query cannot be explained", failure);
      http.badRequest(new BadRequestException(status(cause), String.valueOf(cause.getMessage())));
    } else if (cause instanceof RuntimeException) {
      // Names that do not exist, and what OpenTSDB finds wrong while it resolves them.
      http.badRequest(new BadRequestException(cause));
    } else {
      LOG.error("a query cannot be explained", failure);
      http.internalError(failure);
    }
  }

  /** That of the query itself. */
  private static HttpResponseStatus status(Throwable cause) {
    if (cause instanceof QueryAbortedException) {
      return HttpResponseStatus.valueOf(((QueryAbortedException) cause).reason().status());
    }
    return cause instanceof RpcTimedOutException
        ? HttpResponseStatus.REQUEST_TIMEOUT
        : HttpResponseStatus.FAILED_DEPENDENCY;
  }
}
