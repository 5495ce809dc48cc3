package io.tsdbsuite.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.query.config.QueryConfig;
import io.tsdbsuite.query.run.AbortReason;
import io.tsdbsuite.query.run.QueryAbortedException;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryRunner;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.meta.Annotation;
import net.opentsdb.stats.QueryStats;
import net.opentsdb.stats.StatsCollector;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelFuture;
import org.jboss.netty.channel.DefaultChannelFuture;
import org.jboss.netty.util.Timeout;
import org.jboss.netty.util.Timer;
import org.jboss.netty.util.TimerTask;
import org.junit.jupiter.api.Test;

/** Outcomes of a query whose runner answers when the test says so. */
class QueryServiceTest {
  private final Deferred<List<DataPoints[]>> results = new Deferred<>();
  private final List<QueryContext> contexts = new ArrayList<>();
  private final AtomicLong now = new AtomicLong();
  private final List<TimerTask> timers = new ArrayList<>();
  private final List<TimerTask> cancelled = new ArrayList<>();
  private Executor answers = Runnable::run;
  private final FakeExchange exchange = new FakeExchange();

  private QueryService service(QueryRunner runner, String... keysAndValues) {
    Map<String, String> conf = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.put(QueryConfig.PREFIX + keysAndValues[i], keysAndValues[i + 1]);
    }
    return new QueryService(QueryConfig.read(conf, 1L << 30), runner, now::get, query -> answers);
  }

  private QueryService service(String... keysAndValues) {
    return service(
        (tsdb, query, context) -> {
          contexts.add(context);
          return results;
        },
        keysAndValues);
  }

  private Timer timer() {
    return new Timer() {
      @Override
      public Timeout newTimeout(TimerTask task, long delay, java.util.concurrent.TimeUnit unit) {
        assertThat(unit.toMillis(delay)).isEqualTo(300_000);
        timers.add(task);
        return (Timeout)
            Proxy.newProxyInstance(
                Timeout.class.getClassLoader(),
                new Class<?>[] {Timeout.class},
                (proxy, method, arguments) -> {
                  cancelled.add(task);
                  return null;
                });
      }

      @Override
      public java.util.Set<Timeout> stop() {
        return java.util.Set.of();
      }
    };
  }

  private void answer(QueryService service) {
    service.answer(null, timer(), exchange, false);
  }

  private static Map<String, Long> stats(QueryService service) {
    Map<String, Long> stats = new TreeMap<>();
    service.collectStats(
        new StatsCollector("tsd") {
          @Override
          public void record(String name, long value, String tag) {
            if (value != 0) {
              stats.put(tag == null ? name : name + " " + tag, value);
            }
          }
        });
    return stats;
  }

  @Test
  void theResultIsSent() {
    QueryService service = service();
    answer(service);
    assertThat(stats(service)).containsOnly(Map.entry("rollup_query.running", 1L));
    QueryContext context = contexts.get(0);
    context.note(0, "raw");
    context.used(7, 100);
    assertThat(stats(service))
        .containsEntry("rollup_query.in_flight.cells", 7L)
        .containsEntry("rollup_query.in_flight.bytes", 100L);
    results.callback(List.of());
    assertThat(exchange.log).containsExactly("X-Rollup-Query: 0: raw", "sent []");
    assertThat(stats(service))
        .containsOnly(
            Map.entry("rollup_query.queries outcome=answered", 1L),
            Map.entry("rollup_query.cells", 7L));
    assertThat(cancelled).isEqualTo(timers);
    // The connection lives on and is closed later.
    exchange.closed.setSuccess();
    assertThat(context.aborted()).isNull();
  }

  /** OpenTSDB finds a running query by the hash of its text. */
  @Test
  void aQueryWhoseDownsamplerWasWidenedEnds() {
    exchange.query.getQueries().get(0).setMetric("widened");
    int before = running();
    service().answer(null, timer(), exchange, true);
    assertThat(contexts.get(0).widens()).isTrue();
    assertThat(running()).isEqualTo(before + 1);
    exchange.query.getQueries().get(0).setDownsample("1h-avg");
    results.callback(List.of());
    exchange.query.getQueryStats().markSerializationSuccessful();
    assertThat(running()).isEqualTo(before);
  }

  private static int running() {
    return ((List<?>) QueryStats.getRunningAndCompleteStats().get("running")).size();
  }

  @Test
  void aFailureIsAnswered() {
    QueryService service = service();
    answer(service);
    results.callback(new IllegalStateException("broken"));
    assertThat(exchange.log).containsExactly("failed java.lang.IllegalStateException: broken");
    assertThat(stats(service)).containsOnly(Map.entry("rollup_query.queries outcome=failed", 1L));
  }

  /** No callback is called after an Error. */
  @Test
  void anErrorIsAnsweredAtOnceAndGivesBackTheShare() {
    QueryService service = service();
    exchange.broken = new OutOfMemoryError("test");
    answer(service);
    contexts.get(0).used(3, 3);
    results.callback(List.of());
    assertThat(exchange.log)
        .containsExactly("failed ERROR The query has failed: java.lang.OutOfMemoryError: test");
    assertThat(stats(service))
        .containsOnly(
            Map.entry("rollup_query.queries outcome=error", 1L),
            Map.entry("rollup_query.cells", 3L));
  }

  /** As when OpenTSDB changes the lists of a query that the history looks at. */
  @Test
  void aFailureOfTheHistoryGivesBackTheShare() {
    QueryService service = service();
    answer(service);
    contexts.get(0).used(3, 3);
    exchange.query.setQueries(null);
    results.callback(List.of());
    assertThat(exchange.log).containsExactly("sent []");
    assertThat(stats(service))
        .containsOnly(
            Map.entry("rollup_query.queries outcome=answered", 1L),
            Map.entry("rollup_query.cells", 3L));
  }

  @Test
  void anErrorAfterTheTimeGivesBackTheShare() throws Exception {
    QueryService service = service();
    answer(service);
    contexts.get(0).used(3, 3);
    timers.get(0).run(null);
    contexts.get(0).broken(new OutOfMemoryError("test"));
    assertThat(exchange.log).hasSize(1);
    assertThat(stats(service)).doesNotContainKey("rollup_query.running");
  }

  @Test
  void anErrorOfTheStartIsThrownAndGivesBackTheShare() {
    QueryService service =
        service(
            (tsdb, query, context) -> {
              throw new StackOverflowError("test");
            });
    assertThatThrownBy(() -> answer(service)).isInstanceOf(StackOverflowError.class);
    assertThat(exchange.log).hasSize(1);
    assertThat(stats(service)).containsOnly(Map.entry("rollup_query.queries outcome=error", 1L));
  }

  @Test
  void answersAreComputedByTheirOwnThreads() {
    List<Runnable> tasks = new ArrayList<>();
    answers = tasks::add;
    answer(service());
    results.callback(List.of());
    assertThat(exchange.log).isEmpty();
    tasks.get(0).run();
    // The names are known now.
    assertThat(exchange.log).isEmpty();
    tasks.get(1).run();
    assertThat(exchange.log).containsExactly("sent []");
  }

  /** As by OpenTSDB, whose RpcHandler answers it then. */
  @Test
  void whatIsThrownAtOnceIsThrown() {
    QueryService service =
        service(
            (tsdb, query, context) -> {
              throw new IllegalStateException("at once");
            });
    assertThatThrownBy(() -> answer(service)).hasMessage("at once");
    assertThat(exchange.log).isEmpty();
    assertThat(stats(service)).containsOnly(Map.entry("rollup_query.queries outcome=failed", 1L));
    assertThat(cancelled).isEqualTo(timers);
  }

  @Test
  void aQueryCanBeRefusedAtOnce() {
    QueryService service =
        service(
            (tsdb, query, context) -> {
              context.expect(10, 10, () -> "Ask for less.");
              return results;
            },
            "max_cells_per_query",
            "5");
    answer(service);
    assertThat(exchange.log).hasSize(1);
    assertThat(exchange.log.get(0)).contains("failed CELLS").contains("about 10 cells");
    assertThat(stats(service)).containsOnly(Map.entry("rollup_query.queries outcome=cells", 1L));
  }

  /** An hour of milliseconds, from a point or two. */
  @Test
  void anAnswerWithTooManyFilledValuesIsNotWritten() {
    exchange.query.getQueries().get(0).setDownsample("1ms-sum-zero");
    exchange.query.validateAndSetQuery();
    QueryService service = service("max_megabytes_per_query", "50");
    answer(service);
    results.callback(List.<DataPoints[]>of(new DataPoints[1]));
    assertThat(exchange.log).hasSize(1);
    assertThat(exchange.log.get(0))
        .contains("failed MEMORY", "would hold about 55 MB", "or no fill policy");
    assertThat(stats(service)).containsOnly(Map.entry("rollup_query.queries outcome=memory", 1L));
  }

  @Test
  void onlyFilledValuesCountAsText() {
    List<DataPoints[]> groups = List.<DataPoints[]>of(new DataPoints[3]);
    TSSubQuery sub = exchange.query.getQueries().get(0);
    Map<String, Long> bytes = new TreeMap<>();
    for (String each :
        List.of("1m-sum", "1m-sum-none", "0all-sum-zero", "1m-sum-nan", "1hc-sum-null")) {
      sub.setDownsample(each);
      exchange.query.validateAndSetQuery();
      bytes.put(each, FilledText.bytes(exchange.query, groups));
    }
    assertThat(bytes)
        .isEqualTo(
            Map.of(
                "1m-sum", 0L,
                "1m-sum-none", 0L,
                "0all-sum-zero", 0L,
                "1m-sum-nan", 3L * 60 * 16,
                "1hc-sum-null", 3L * 16));
  }

  @Test
  void aRunnerMayRefuseWithItsOwnWords() {
    QueryService service = service();
    answer(service);
    results.callback(new QueryAbortedException(AbortReason.CELLS, "own words"));
    assertThat(exchange.log).containsExactly("failed CELLS own words");
    assertThat(stats(service)).containsOnly(Map.entry("rollup_query.queries outcome=cells", 1L));
  }

  @Test
  void timeEndsBeforeTheRunner() throws Exception {
    QueryService service = service();
    answer(service);
    contexts.get(0).used(3, 3);
    timers.get(0).run(null);
    assertThat(exchange.log).hasSize(1);
    assertThat(exchange.log.get(0)).contains("failed TIME").contains("longer than 300 s");
    // Its cells are held until the runner has noticed.
    assertThat(stats(service))
        .doesNotContainKey("rollup_query.running")
        .containsEntry("rollup_query.queries outcome=time", 1L)
        .containsEntry("rollup_query.in_flight.cells", 3L);
    assertThatThrownBy(() -> contexts.get(0).used(1, 1)).isInstanceOf(QueryAbortedException.class);
    results.callback(List.of());
    assertThat(exchange.log).hasSize(1);
    assertThat(stats(service)).doesNotContainKey("rollup_query.in_flight.cells");
  }

  @Test
  void aClientThatHasGoneStopsItsQuery() {
    QueryService service = service();
    answer(service);
    exchange.closed.setSuccess();
    assertThat(exchange.log).hasSize(1);
    assertThat(exchange.log.get(0)).contains("failed CLIENT_GONE");
    assertThatThrownBy(() -> contexts.get(0).check()).isInstanceOf(QueryAbortedException.class);
    results.callback(contexts.get(0).aborted());
    assertThat(exchange.log).hasSize(1);
    assertThat(stats(service))
        .containsOnly(Map.entry("rollup_query.queries outcome=client_gone", 1L));
  }

  @Test
  void theHeaderNamesTheClient() {
    QueryService service = service("client_header", "x-user", "max_cells_in_flight", "100");
    exchange.headers.put("X-User", "heavy");
    answer(service);
    FakeExchange other = new FakeExchange();
    other.headers.put("X-User", "light");
    service.answer(null, timer(), other, false);
    contexts.get(0).used(90, 0);
    contexts.get(1).used(20, 0);
    assertThat(exchange.log.get(0)).contains("failed IN_FLIGHT");
    assertThat(other.log).isEmpty();
  }

  @Test
  void summariesHaveTheNotes() {
    answer(service());
    Map<String, Object> before = exchange.stats.getStats(true, true);
    assertThat(before).doesNotContainKey("rollupQuery");
    contexts.get(0).note(0, "raw");
    assertThat(exchange.stats.getStats(true, true)).containsEntry("rollupQuery", List.of("0: raw"));
    assertThat(exchange.stats.getStats(false, false)).doesNotContainKey("rollupQuery");
    results.callback(List.of());
  }

  private static final class FakeExchange implements QueryExchange {
    private static final AtomicLong PORTS = new AtomicLong(2000);

    private final List<String> log = new ArrayList<>();
    private final Map<String, String> headers = new HashMap<>();
    private final InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), (int) PORTS.incrementAndGet());
    private final Channel channel;
    private final ChannelFuture closed;
    private final TSQuery query = new TSQuery();
    private QueryStats stats;
    private Error broken;

    FakeExchange() {
      ChannelFuture[] future = new ChannelFuture[1];
      channel =
          (Channel)
              Proxy.newProxyInstance(
                  Channel.class.getClassLoader(),
                  new Class<?>[] {Channel.class},
                  (proxy, method, arguments) ->
                      switch (method.getName()) {
                        case "getCloseFuture" -> future[0];
                        case "getRemoteAddress" -> address;
                        default -> null;
                      });
      closed = new DefaultChannelFuture(channel, false);
      future[0] = closed;
      query.setStart("1763510400");
      query.setEnd("1763514000");
      TSSubQuery sub = new TSSubQuery();
      sub.setAggregator("sum");
      sub.setMetric("m");
      query.setQueries(new ArrayList<>(List.of(sub)));
      query.validateAndSetQuery();
    }

    @Override
    public TSQuery query() {
      return query;
    }

    @Override
    public Channel channel() {
      return channel;
    }

    @Override
    public String remoteAddress() {
      return address.toString();
    }

    @Override
    public Map<String, String> headers() {
      return headers;
    }

    @Override
    public void setStats(QueryStats made) {
      stats = made;
    }

    @Override
    public List<DataPoints[]> evaluate(List<DataPoints[]> found) {
      return found;
    }

    @Override
    public Deferred<ChannelBuffer> format(List<DataPoints[]> found, List<Annotation> globals) {
      if (broken != null) {
        throw broken;
      }
      return Deferred.fromResult(
          ChannelBuffers.copiedBuffer(found.toString(), StandardCharsets.UTF_8));
    }

    @Override
    public void header(String name, String value) {
      log.add(name + ": " + value);
    }

    @Override
    public void send(ChannelBuffer body) {
      log.add("sent " + body.toString(StandardCharsets.UTF_8));
    }

    @Override
    public void fail(Throwable failure) {
      log.add(
          failure instanceof QueryAbortedException stop
              ? "failed " + stop.reason() + " " + stop.getMessage()
              : "failed " + failure);
    }
  }
}
