package net.opentsdb.tsd;

import com.stumbleupon.async.Deferred;
import com.stumbleupon.async.DeferredGroupException;
import io.tsdbsuite.query.http.QueryExchange;
import io.tsdbsuite.query.run.QueryAbortedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.QueryException;
import net.opentsdb.core.TSQuery;
import net.opentsdb.meta.Annotation;
import net.opentsdb.query.expression.ExpressionTree;
import net.opentsdb.stats.QueryStats;
import net.opentsdb.uid.NoSuchUniqueName;
import org.hbase.async.HBaseException;
import org.hbase.async.RpcTimedOutException;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A query in an {@link HttpQuery}. */
final class HttpQueryExchange implements QueryExchange {
  private static final Logger LOG = LoggerFactory.getLogger(HttpQueryExchange.class);

  private final HttpQuery http;
  private final TSQuery query;
  private final @Nullable List<ExpressionTree> expressions;
  private @Nullable QueryStats stats;

  /**
   * Creates the exchange.
   *
   * @param expressions null: the answer is that of the sub-queries
   */
  HttpQueryExchange(HttpQuery http, TSQuery query, @Nullable List<ExpressionTree> expressions) {
    this.http = http;
    this.query = query;
    this.expressions = expressions;
  }

  @Override
  public TSQuery query() {
    return query;
  }

  @Override
  public Channel channel() {
    return http.channel();
  }

  @Override
  public String remoteAddress() {
    return http.getRemoteAddress();
  }

  @Override
  public Map<String, String> headers() {
    return http.getPrintableHeaders();
  }

  @Override
  public void setStats(QueryStats made) {
    stats = made;
    http.setStats(made);
  }

  @Override
  public List<DataPoints[]> evaluate(List<DataPoints[]> results) {
    if (expressions == null) {
      return results;
    }
    List<DataPoints[]> computed = new ArrayList<>(expressions.size());
    for (ExpressionTree expression : expressions) {
      computed.add(expression.evaluate(results));
    }
    return computed;
  }

  @Override
  public Deferred<ChannelBuffer> format(List<DataPoints[]> results, List<Annotation> globals)
      throws IOException {
    return http.serializer().formatQueryAsyncV1(query, results, globals);
  }

  @Override
  public void header(String name, String value) {
    http.response().headers().set(name, value);
  }

  @Override
  public void send(ChannelBuffer body) {
    http.sendReply(body);
    QueryRpc.query_success.incrementAndGet();
  }

  /**
   * Sends the error of a failure. Status and body are those of OpenTSDB's handler, which answers an
   * unexpected exception with 400, too, and only notes it as 500.
   */
  @Override
  public void fail(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof DeferredGroupException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    try {
      if (cause instanceof QueryAbortedException) {
        int status = ((QueryAbortedException) cause).reason().status();
        refuse(cause, HttpResponseStatus.valueOf(status), QueryRpc.query_exceptions);
      } else if (cause instanceof RpcTimedOutException) {
        LOG.error("A query has failed", failure);
        refuse(cause, HttpResponseStatus.REQUEST_TIMEOUT, QueryRpc.query_exceptions);
      } else if (cause instanceof HBaseException) {
        LOG.error("A query has failed", failure);
        refuse(cause, HttpResponseStatus.FAILED_DEPENDENCY, QueryRpc.query_exceptions);
      } else if (cause instanceof QueryException) {
        refuse(cause, ((QueryException) cause).getStatus(), QueryRpc.query_exceptions);
      } else if (cause instanceof BadRequestException) {
        BadRequestException bad = (BadRequestException) cause;
        answer(cause, bad.getStatus(), bad, QueryRpc.query_invalid);
      } else if (cause instanceof NoSuchUniqueName) {
        answer(
            cause,
            HttpResponseStatus.BAD_REQUEST,
            new BadRequestException(cause),
            QueryRpc.query_invalid);
      } else {
        LOG.error("A query has failed", failure);
        answer(
            cause,
            HttpResponseStatus.INTERNAL_SERVER_ERROR,
            new BadRequestException(cause),
            QueryRpc.query_exceptions);
      }
    } catch (RuntimeException e) {
      LOG.error("The error of a query cannot be answered", e);
      mark(HttpResponseStatus.INTERNAL_SERVER_ERROR, e);
      http.sendReply(
          HttpResponseStatus.INTERNAL_SERVER_ERROR,
          String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8));
      QueryRpc.query_exceptions.incrementAndGet();
    }
  }

  private void refuse(Throwable cause, HttpResponseStatus status, AtomicLong counter) {
    answer(cause, status, new BadRequestException(status, cause.getMessage()), counter);
  }

  private void answer(
      Throwable cause, HttpResponseStatus status, BadRequestException error, AtomicLong counter) {
    mark(status, cause);
    http.badRequest(error);
    counter.incrementAndGet();
  }

  private void mark(HttpResponseStatus status, Throwable cause) {
    if (stats != null) {
      stats.markSerialized(status, cause);
    }
  }
}
