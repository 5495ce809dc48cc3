package io.tsdbsuite.query;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.metrics.PrometheusStats;
import io.tsdbsuite.metrics.UiWarning;
import io.tsdbsuite.metrics.plugin.PluginVersion;
import io.tsdbsuite.query.config.QueryConfig;
import io.tsdbsuite.query.http.OpenTsdbNames;
import io.tsdbsuite.query.http.QueryCounts;
import io.tsdbsuite.query.http.QueryService;
import io.tsdbsuite.query.page.Page;
import io.tsdbsuite.query.page.PageAnswer;
import io.tsdbsuite.query.run.QueryThreads;
import io.tsdbsuite.query.run.StockRunner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.tsd.HttpRpcPlugin;
import net.opentsdb.tsd.HttpRpcPluginQuery;
import net.opentsdb.tsd.RollupQueryRoutes;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers queries from rollups, with the HTTP API of those who read below {@code
 * /plugin/rollup-query/}; configured in {@code tsd.http.rpc.plugins}.
 *
 * <p>An invalid configuration stops the start of the TSD, with all problems in the message. An
 * OpenTSDB that lacks what the plugin needs starts, and answers every query itself.
 */
public final class RollupQueryHttpPlugin extends HttpRpcPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(RollupQueryHttpPlugin.class);
  private static final String PATH = "rollup-query";

  /** Begins the path of queries whose downsamplers may be widened. */
  private static final String COARSE = "/coarse/";

  private static final String TEXT = "text/plain; charset=UTF-8";

  // Null until the TSD has called initialize; the service also if this OpenTSDB lacks names.
  private volatile @Nullable QueryService service;
  private volatile @Nullable CoveredQueries queries;
  private volatile @Nullable RollupQueryRoutes routes;
  private volatile @Nullable QueryPage page;
  private volatile List<String> missing = Collections.emptyList();
  private volatile boolean tookOver;

  /** Called by the TSD. */
  public RollupQueryHttpPlugin() {}

  /**
   * Reads the configuration and checks the names of OpenTSDB.
   *
   * @throws IllegalArgumentException with all problems of the configuration
   */
  @Override
  public void initialize(TSDB tsdb) {
    UiWarning.log(tsdb, LOG);
    QueryConfig config;
    try {
      config = QueryConfig.read(tsdb.getConfig().getMap(), Runtime.getRuntime().maxMemory());
    } catch (IllegalArgumentException e) {
      // The TSD logs the exception only as the cause of a cause.
      LOG.error("{}", e.getMessage());
      throw e;
    }
    ClassLoader loader = TSDB.class.getClassLoader();
    List<String> lacks = new ArrayList<>(OpenTsdbNames.passingOn(loader).missing());
    boolean passesOn = lacks.isEmpty();
    lacks.addAll(OpenTsdbNames.queries(loader).missing());
    missing = lacks;
    StockRunner floors = null;
    if (lacks.isEmpty()) {
      QueryThreads threads = new QueryThreads();
      CoveredQueries covered = CoveredQueries.start(tsdb, config, threads);
      QueryService made =
          new QueryService(
              config, covered.runner(), () -> System.nanoTime() / 1_000_000, threads::answers);
      CoveredQueries.Covered checked = covered.covered();
      if (checked != null) {
        checked.shadow().pauseWhile(made::isNearLimits);
      }
      queries = covered;
      floors = covered.floors();
      service = made;
      page = QueryPage.of(covered, made.history(), this::state);
    } else {
      LOG.error(
          "rollup-query is off and OpenTSDB answers all queries itself: this OpenTSDB lacks {}",
          String.join(", ", lacks));
    }
    if (passesOn) {
      routes = new RollupQueryRoutes(tsdb, service, floors, config.passesAll());
    }
    if (lacks.isEmpty() && config.takeover()) {
      takeOverWhenReady();
    }
  }

  /**
   * Replaces the handlers of /api/query. The TSD's table of handlers is made after this plugin has
   * been initialized, under a lock, for which this thread waits.
   */
  private void takeOverWhenReady() {
    Thread thread =
        new Thread(
            () -> {
              RollupQueryRoutes ready = routes;
              tookOver = ready != null && ready.takeOver();
              if (tookOver) {
                LOG.info("rollup-query answers /api/query and /api/query/gexp");
              } else {
                LOG.error(
                    "rollup-query: tsd.rollup_query.takeover is true, but this TSD has no"
                        + " /api/query (tsd.mode, tsd.core.enable_api)");
              }
            },
            "rollup-query-takeover");
    thread.setDaemon(true);
    thread.start();
  }

  /** Answers a request below {@code /plugin/rollup-query}. */
  @Override
  public void execute(TSDB tsdb, HttpRpcPluginQuery query) {
    String uri = below(query.request().getUri());
    int question = uri.indexOf('?');
    String path = question < 0 ? uri : uri.substring(0, question);
    RollupQueryRoutes known = routes;
    QueryPage shown = page;
    if (path.equals("/metrics") && query.method().equals(HttpMethod.GET)) {
      PrometheusStats stats = new PrometheusStats(QueryMetrics.CATALOG);
      collectStats(stats);
      query.sendBuffer(
          HttpResponseStatus.OK,
          ChannelBuffers.wrappedBuffer(stats.text()),
          PrometheusStats.CONTENT_TYPE);
    } else if (isState(path, shown != null && wantsPage(query))) {
      String proven = shown == null ? "" : shown.page().coverage();
      text(query, HttpResponseStatus.OK, state() + proven);
    } else if (path.isEmpty()) {
      // The page's own links are relative to the slash at the end.
      query.response().headers().set("Location", PATH + "/");
      text(query, HttpResponseStatus.FOUND, "");
    } else if (shown != null && Page.has(path)) {
      show(shown, query, path);
    } else if (shown != null && known != null && path.equals("/explain")) {
      explain(shown, known, query, question < 0 ? "" : uri.substring(question));
    } else if (known == null) {
      text(query, HttpResponseStatus.SERVICE_UNAVAILABLE, state());
    } else if (path.startsWith(COARSE)) {
      known.answer(query, uri.substring(COARSE.length() - 1), true);
    } else {
      known.answer(query, uri, false);
    }
  }

  /** Whether the answer is the state as a text: always, or at the place of the page. */
  private static boolean isState(String path, boolean page) {
    return path.equals("/status") || ((path.isEmpty() || path.equals("/")) && !page);
  }

  /** Whether a browser asks, and not curl. */
  private static boolean wantsPage(HttpRpcPluginQuery query) {
    String accepted = query.request().headers().get("Accept");
    return accepted != null && accepted.contains("text/html");
  }

  private static void show(QueryPage shown, HttpRpcPluginQuery query, String path) {
    if (!query.method().equals(HttpMethod.GET)) {
      text(query, HttpResponseStatus.METHOD_NOT_ALLOWED, "the page takes GET\n");
      return;
    }
    String metric = query.getQueryStringParam("metric");
    send(
        query,
        shown.page().get(path, metric == null ? "" : metric, query.request().headers()::get));
  }

  private static void explain(
      QueryPage shown, RollupQueryRoutes known, HttpRpcPluginQuery query, String parameters) {
    PageAnswer refusal = Page.refusal(query.request().headers()::get);
    if (refusal == null) {
      known.explain(query, parameters, shown.explainer());
    } else {
      send(query, refusal);
    }
  }

  private static void send(HttpRpcPluginQuery query, PageAnswer answer) {
    PageAnswer.headers().forEach((name, value) -> query.response().headers().set(name, value));
    query.sendBuffer(
        HttpResponseStatus.valueOf(answer.status()),
        ChannelBuffers.wrappedBuffer(answer.body()),
        answer.contentType());
  }

  /** The URI below the plugin's path, with its first slash and its parameters. */
  static String below(String uri) {
    int question = uri.indexOf('?');
    int plugin = uri.indexOf('/', 1);
    int rest = uri.indexOf('/', plugin + 1);
    if (rest < 0 || (question >= 0 && rest > question)) {
      return question < 0 ? "" : uri.substring(question);
    }
    return uri.substring(rest);
  }

  private String state() {
    return PluginVersion.of(RollupQueryHttpPlugin.class, "rollup-query")
        + (missing.isEmpty()
            ? " answers queries at /plugin/rollup-query/api/query"
                + (tookOver ? " and /api/query" : "")
            : " is off; ask /api/query. This OpenTSDB lacks " + String.join(", ", missing))
        + ". Statistics: /plugin/rollup-query/metrics\n";
  }

  private static void text(HttpRpcPluginQuery query, HttpResponseStatus status, String text) {
    query.sendBuffer(
        status, ChannelBuffers.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8)), TEXT);
  }

  @Override
  public Deferred<Object> shutdown() {
    CoveredQueries started = queries;
    if (started != null) {
      started.stop();
    }
    return Deferred.fromResult(null);
  }

  @Override
  public String version() {
    return PluginVersion.of(RollupQueryHttpPlugin.class, "rollup-query");
  }

  @Override
  public String getPath() {
    return PATH;
  }

  @Override
  public void collectStats(StatsCollector collector) {
    QueryService running = service;
    if (running != null) {
      running.collectStats(collector);
    }
    CoveredQueries started = queries;
    if (started != null) {
      started.collectStats(collector);
    }
    collector.record(QueryCounts.PREFIX + "on", running == null ? 0 : 1);
    collector.record(
        QueryCounts.PREFIX + "rollups", started != null && started.readsRollups() ? 1 : 0);
    collector.record(QueryCounts.PREFIX + "takeover", tookOver ? 1 : 0);
  }
}
