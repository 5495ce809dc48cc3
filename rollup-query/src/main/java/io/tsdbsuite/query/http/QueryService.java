package io.tsdbsuite.query.http;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.query.config.QueryConfig;
import io.tsdbsuite.query.limit.InFlight;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryRunner;
import io.tsdbsuite.query.run.QueryTasks;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.meta.Annotation;
import net.opentsdb.stats.StatsCollector;
import org.jboss.netty.util.Timer;

/** Answers queries by a {@link QueryRunner}, within the limits of the configuration. */
public final class QueryService {
  private final QueryConfig config;
  private final QueryRunner runner;
  private final LongSupplier clock;
  private final Function<QueryContext, Executor> answers;
  private final InFlight inFlight;
  private final QueryCounts counts = new QueryCounts();
  private final QueryHistory history = new QueryHistory(System::currentTimeMillis);

  /**
   * Creates the service.
   *
   * @param clock milliseconds that never go back
   * @param answers computes the answers of a query: neither HBase's client nor Netty waits for them
   */
  public QueryService(
      QueryConfig config,
      QueryRunner runner,
      LongSupplier clock,
      Function<QueryContext, Executor> answers) {
    this.config = config;
    this.runner = runner;
    this.clock = clock;
    this.answers = answers;
    this.inFlight = new InFlight(config.maxCellsInFlight(), config.maxBytesInFlight());
  }

  /** The heaviest queries and the last ones that were stopped. */
  public QueryHistory history() {
    return history;
  }

  /** Whether the running queries hold almost what they may. */
  public boolean isNearLimits() {
    return inFlight.isNearLimits();
  }

  /** The counts of this service. */
  public QueryCounts counts() {
    return counts;
  }

  /** Whether percentiles of a sub-query may come from rollups; else OpenTSDB answers them. */
  public boolean readsHistograms(TSSubQuery query) {
    return runner.readsHistograms(query);
  }

  /** Reports the statistics. */
  public void collectStats(StatsCollector collector) {
    counts.collect(collector, inFlight);
  }

  /**
   * Answers a query. Returns before it is answered.
   *
   * <p>Step by step: register the query's statistics, read global annotations, run the sub-queries,
   * compute expressions, write the answer. OpenTSDB starts them in the same order, and what it
   * throws at once, before the first answer of HBase, this method throws, too: the TSD answers it
   * in its own way.
   *
   * @param coarse whether downsamplers may be widened
   */
  public void answer(TSDB tsdb, QueryExchange exchange, boolean coarse) {
    answer(tsdb, tsdb.getTimer(), exchange, coarse);
  }

  void answer(TSDB tsdb, Timer timer, QueryExchange exchange, boolean coarse) {
    TSQuery query = exchange.query();
    String client = client(exchange);
    QueryContext context = new QueryContext(config.limits(), clock, inFlight, client);
    if (coarse) {
      context.widen();
    }
    long begin = clock.getAsLong();
    RunningQuery running;
    try {
      NotedQueryStats stats =
          new NotedQueryStats(exchange.remoteAddress(), query, exchange.headers(), context);
      query.setQueryStats(stats);
      exchange.setStats(stats);
      running =
          new RunningQuery(
              exchange,
              context,
              stats,
              counts,
              outcome -> history.ended(client, query, outcome, context, clock.getAsLong() - begin));
    } catch (RuntimeException e) {
      context.end();
      throw e;
    }
    try {
      running.watch(timer, config.limits().millis());
      start(tsdb, exchange, context, running);
    } catch (RuntimeException e) {
      running.refuse(e);
    } catch (Error e) {
      context.broken(e);
      throw e;
    }
  }

  private void start(
      TSDB tsdb, QueryExchange exchange, QueryContext context, RunningQuery running) {
    TSQuery query = exchange.query();
    List<Annotation> globals = new ArrayList<>();
    Deferred<List<DataPoints[]>> results;
    if (!query.getNoAnnotations() && query.getGlobalAnnotations()) {
      results =
          Annotation.getGlobalAnnotations(tsdb, query.startTime() / 1000, query.endTime() / 1000)
              .addCallbackDeferring(
                  found -> {
                    globals.addAll(found);
                    return runner.run(tsdb, query, context);
                  });
    } else {
      results = runner.run(tsdb, query, context);
    }
    results
        .addCallbackDeferring(
            found ->
                QueryTasks.call(
                    answers.apply(context),
                    context,
                    () -> {
                      context.check();
                      countText(FilledText.bytes(query, found), context);
                      return named(exchange.evaluate(found), context);
                    }))
        .addCallbackDeferring(
            named ->
                QueryTasks.call(
                    answers.apply(context),
                    context,
                    () -> {
                      context.check();
                      return exchange.format(named, globals);
                    }))
        .addCallbacks(running::done, running::failed);
  }

  /** Nothing can stop the writing of the text: a query whose text is too large ends before. */
  private static void countText(long bytes, QueryContext context) {
    if (bytes > 0) {
      context.expect(
          0,
          context.bytes() + bytes,
          () -> "Ask for a wider downsampler, a shorter time or no fill policy.");
      context.used(0, bytes);
    }
  }

  /**
   * The results, when all names that an answer needs are in the TSD's cache. Without them OpenTSDB
   * would write the answer in the thread of HBase's client that brings the last name.
   */
  private static Deferred<List<DataPoints[]>> named(
      List<DataPoints[]> results, QueryContext context) {
    Countdown names = new Countdown();
    for (DataPoints[] each : results) {
      for (DataPoints points : each) {
        context.check();
        names.await(points.metricNameAsync());
        names.await(points.getTagsAsync());
        names.await(points.getAggregatedTagsAsync());
      }
    }
    return names.end().addCallback(done -> results);
  }

  /** Whose share of the limits a query uses: the client's address, or what its header says. */
  private String client(QueryExchange exchange) {
    if (!config.clientHeader().isEmpty()) {
      for (Map.Entry<String, String> header : exchange.headers().entrySet()) {
        if (header.getKey().equalsIgnoreCase(config.clientHeader())) {
          return header.getValue();
        }
      }
    }
    SocketAddress address = exchange.channel().getRemoteAddress();
    return address instanceof InetSocketAddress
        ? ((InetSocketAddress) address).getAddress().getHostAddress()
        : String.valueOf(address);
  }
}
