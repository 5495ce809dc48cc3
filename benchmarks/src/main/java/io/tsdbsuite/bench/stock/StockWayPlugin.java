package io.tsdbsuite.bench.stock;

import com.google.common.util.concurrent.RateLimiter;
import com.stumbleupon.async.Deferred;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.tsd.HttpRpcPlugin;
import net.opentsdb.tsd.HttpRpcPluginQuery;
import net.opentsdb.tsd.PutCounters;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;

/**
 * The stock plugin in a TSD, for comparison only. {@code GET /plugin/stock} shows the number of
 * stored messages; {@code ?open=true} and {@code ?open=false} resume and pause it.
 */
public final class StockWayPlugin extends HttpRpcPlugin {
  private final AtomicLong stored = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final Gate gate = new Gate();
  private final List<Thread> threads = new ArrayList<>();

  /** Called by the TSD. */
  public StockWayPlugin() {}

  @Override
  public void initialize(TSDB tsdb) {
    RateLimiter limiter =
        RateLimiter.create(Double.parseDouble(tsdb.getConfig().getString(StockKeys.RATE)));
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", tsdb.getConfig().getString(StockKeys.BROKERS),
            "group.id", "stock",
            "auto.offset.reset", "earliest",
            "enable.auto.commit", "true",
            // As in kafka-ingest.
            "max.poll.records", "2000",
            // The gate is closed between rounds.
            "max.poll.interval.ms", "3600000");
    for (int i = 0; i < tsdb.getConfig().getInt(StockKeys.THREADS); i++) {
      Thread thread =
          new Thread(
              new StockConsumer(
                  tsdb,
                  settings,
                  tsdb.getConfig().getString(StockKeys.TOPIC),
                  gate,
                  limiter,
                  stored,
                  failed),
              "stock-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  @Override
  public Deferred<Object> shutdown() {
    threads.forEach(Thread::interrupt);
    return Deferred.fromResult(null);
  }

  @Override
  public String version() {
    return "stock";
  }

  @Override
  public void collectStats(StatsCollector collector) {
    // The endpoint reports them.
  }

  @Override
  public String getPath() {
    return "stock";
  }

  @Override
  public void execute(TSDB tsdb, HttpRpcPluginQuery query) {
    List<String> open = query.getQueryString().get("open");
    if (open != null) {
      gate.set(Boolean.parseBoolean(open.get(0)));
    }
    String body =
        "{\"stored\":"
            + stored.get()
            + ",\"failed\":"
            + failed.get()
            + ",\"putStored\":"
            + PutCounters.stored()
            + "}";
    query.sendBuffer(
        HttpResponseStatus.OK,
        ChannelBuffers.wrappedBuffer(body.getBytes(StandardCharsets.UTF_8)),
        "application/json; charset=UTF-8");
  }
}
