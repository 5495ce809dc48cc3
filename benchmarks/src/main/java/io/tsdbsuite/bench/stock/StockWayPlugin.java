package io.tsdbsuite.bench.stock;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.util.concurrent.RateLimiter;
import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.Tags;
import net.opentsdb.rollup.RollUpDataPoint;
import net.opentsdb.tsd.HttpRpcPluginQuery;
import net.opentsdb.tsd.PutCounters;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stock plugin in a TSD, for comparison only: each thread has an object mapper, and takes a
 * permit of the rate limiter and one {@code addAggregatePoint} per message. Offsets are committed
 * by time, without waiting for HBase.
 *
 * <p>{@code GET /plugin/stock} shows the number of stored messages; {@code ?open=true} and {@code
 * ?open=false} resume and pause it.
 */
public final class StockWayPlugin extends BenchPlugin {
  // Keys of opentsdb.conf; the compiler copies them into classes outside a TSD, which lack this
  // one.
  /** Kafka's {@code bootstrap.servers}. */
  public static final String BROKERS = "stock.brokers";

  /** The topic to read. */
  public static final String TOPIC = "stock.topic";

  /** Number of consumers. */
  public static final String THREADS = "stock.threads";

  /** Rate limit, messages per second. */
  public static final String RATE = "stock.rate";

  private static final Logger LOG = LoggerFactory.getLogger(StockWayPlugin.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final AtomicLong stored = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final Object gate = new Object();
  private final List<Thread> threads = new ArrayList<>();
  private boolean open;

  /** Called by the TSD. */
  public StockWayPlugin() {
    super("stock");
  }

  @Override
  public void initialize(TSDB tsdb) {
    RateLimiter limiter = RateLimiter.create(Double.parseDouble(tsdb.getConfig().getString(RATE)));
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", tsdb.getConfig().getString(BROKERS),
            "group.id", "stock",
            "auto.offset.reset", "earliest",
            "enable.auto.commit", "true",
            // As in kafka-ingest.
            "max.poll.records", "2000",
            // The gate is closed between rounds.
            "max.poll.interval.ms", "3600000");
    for (int i = 0; i < tsdb.getConfig().getInt(THREADS); i++) {
      Thread thread = new Thread(() -> consume(tsdb, settings, limiter), "stock-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  private void consume(TSDB tsdb, Map<String, Object> settings, RateLimiter limiter) {
    ObjectMapper mapper =
        new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
    Callback<Object, Object> success =
        answer -> {
          stored.incrementAndGet();
          return null;
        };
    Callback<Object, Exception> failure =
        e -> {
          LOG.error("not stored", e);
          failed.incrementAndGet();
          return null;
        };
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(tsdb.getConfig().getString(TOPIC)));
      while (!Thread.currentThread().isInterrupted()) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          passGate();
          double unused = limiter.acquire();
          store(tsdb, mapper.readValue(record.value(), RollUpDataPoint.class))
              .addCallbacks(success, failure);
        }
      }
    } catch (InterruptedException | InterruptException e) {
      LOG.info("the consumer ends");
    } catch (IOException | RuntimeException e) {
      LOG.error("the consumer failed", e);
      failed.incrementAndGet();
    }
  }

  /** Waits until the measurement starts. */
  private void passGate() throws InterruptedException {
    synchronized (gate) {
      while (!open) {
        gate.wait();
      }
    }
  }

  private static Deferred<Object> store(TSDB tsdb, RollUpDataPoint point) {
    String value = point.getValue();
    String groupBy = point.getGroupByAggregator();
    if (Tags.looksLikeInteger(value)) {
      return tsdb.addAggregatePoint(
          point.getMetric(),
          point.getTimestamp(),
          Tags.parseLong(value),
          point.getTags(),
          groupBy != null,
          point.getInterval(),
          point.getAggregator(),
          groupBy);
    }
    if (Tags.fitsInFloat(value)) {
      return tsdb.addAggregatePoint(
          point.getMetric(),
          point.getTimestamp(),
          Float.parseFloat(value),
          point.getTags(),
          groupBy != null,
          point.getInterval(),
          point.getAggregator(),
          groupBy);
    }
    return tsdb.addAggregatePoint(
        point.getMetric(),
        point.getTimestamp(),
        Double.parseDouble(value),
        point.getTags(),
        groupBy != null,
        point.getInterval(),
        point.getAggregator(),
        groupBy);
  }

  @Override
  public Deferred<Object> shutdown() {
    threads.forEach(Thread::interrupt);
    return Deferred.fromResult(null);
  }

  @Override
  String answer(TSDB tsdb, HttpRpcPluginQuery query) {
    List<String> wanted = query.getQueryString().get("open");
    if (wanted != null) {
      synchronized (gate) {
        open = Boolean.parseBoolean(wanted.get(0));
        gate.notifyAll();
      }
    }
    return "{\"stored\":%s,\"failed\":%s,\"putStored\":%s}"
        .formatted(stored.get(), failed.get(), PutCounters.stored());
  }
}
