package io.tsdbsuite.ingest.publish;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.config.KafkaSettings;
import io.tsdbsuite.ingest.mask.Floors;
import io.tsdbsuite.ingest.mask.PublishedMasks;
import io.tsdbsuite.ingest.store.ElementStore;
import io.tsdbsuite.message.FieldNames;
import io.tsdbsuite.message.MessageTypes;
import io.tsdbsuite.message.write.SeriesKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import net.opentsdb.core.TSDB;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests rollups of series and hours that have late points, from a group of type REPAIR. Equal
 * requests are sent once in a while, but once in each hour: a repair leaves buckets that had not
 * ended when it was requested. None are sent for hours before the raw floor of a metric. A minute
 * has at most a number of requests: the others are left to the nightly run. Never blocks, never
 * throws. Thread-safe.
 */
public final class RepairRequests implements PublishedMasks.Requests, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RepairRequests.class);
  private static final String REASON = "late";
  private static final int MAX_QUEUED = 10_000;
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

  private final JsonFactory json = new JsonFactory();
  private final String topic;
  private final List<String> intervals;
  private final int perMinute;
  private final Clock clock;
  private final Ticker ticker;
  private final BoundedProducer producer;
  private final Floors floors;
  private final LongAdder left = new LongAdder();
  private final DropLog leftLog;

  /** Requests that are not sent again yet. */
  private final Cache<List<Object>, Boolean> recent;

  // Guarded by this.
  private long minuteSince;
  private int inMinute;

  /**
   * Creates it; the first request opens the connection to Kafka.
   *
   * @param name of the producer
   * @return null if there is no coverage, no topic, or no rollup that can be repaired
   */
  public static @Nullable RepairRequests of(
      IngestConfig config, TSDB tsdb, String name, Floors floors, Ticker ticker) {
    if (config.coverageTable.isEmpty() || config.requestTopic.isEmpty()) {
      return null;
    }
    List<String> intervals = ElementStore.repairableIntervals(tsdb);
    if (intervals.isEmpty()) {
      LOG.warn(
          "late points are left to the nightly run: tsd.rollups.config must have intervals, which"
              + " all divide the hour or are whole hours that divide the day");
      return null;
    }
    return new RepairRequests(
        config.requestTopic,
        intervals,
        config.requestsPerMinute,
        config.repairDelayMillis() / 2,
        new BoundedProducer(name, KafkaSettings.producer(config.kafka, name), MAX_QUEUED),
        floors,
        Clock.systemUTC(),
        ticker);
  }

  /**
   * Creates it with a producer, which it closes.
   *
   * @param intervals all of rollup_config.json, at least one
   * @param perMinute maximum of requests in a minute
   * @param onceMillis how long a request is not sent again, at most; less than the delay of the
   *     group that carries it out
   */
  public RepairRequests(
      String topic,
      List<String> intervals,
      int perMinute,
      long onceMillis,
      BoundedProducer producer,
      Floors floors,
      Clock clock,
      Ticker ticker) {
    this.topic = topic;
    this.intervals = intervals;
    this.perMinute = perMinute;
    this.recent =
        CacheBuilder.newBuilder()
            .concurrencyLevel(1)
            .ticker(ticker)
            .expireAfterWrite(onceMillis, TimeUnit.MILLISECONDS)
            .build();
    this.clock = clock;
    this.ticker = ticker;
    this.producer = producer;
    this.floors = floors;
    this.leftLog =
        new DropLog(
            ticker,
            "%s requests for rollups of late points are left to the nightly run, the last one"
                + " because: %s",
            LOG::warn);
    this.minuteSince = ticker.read();
  }

  @Override
  public void late(long hour, String metric, Map<String, String> tags) {
    // A repair would refuse it.
    if (!floors.isBelow(metric, hour) && isNew(hour, metric, tags)) {
      producer.send(
          () -> new ProducerRecord<>(topic, SeriesKey.of(metric, tags), encode(hour, metric, tags)),
          this::leave);
    }
  }

  @Override
  public void leave(String reason) {
    left.increment();
    leftLog.dropped(reason);
  }

  private synchronized boolean isNew(long hour, String metric, Map<String, String> tags) {
    long now = ticker.read();
    if (now - minuteSince >= MINUTE) {
      minuteSince = now;
      inMinute = 0;
    }
    List<Object> key = Arrays.asList(hour, metric, tags, clock.millis() / HOUR_MILLIS);
    if (recent.getIfPresent(key) != null) {
      return false;
    }
    if (inMinute >= perMinute) {
      leave("coverage.maxRequests is reached");
      return false;
    }
    inMinute++;
    recent.put(key, true);
    return true;
  }

  private byte[] encode(long hour, String metric, Map<String, String> tags) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    try (JsonGenerator text = json.createGenerator(out)) {
      text.writeStartObject();
      text.writeStringField(FieldNames.TYPE, MessageTypes.ROLLUP_REQUEST);
      text.writeNumberField(FieldNames.VERSION, MessageTypes.ROLLUP_REQUEST_VERSION);
      text.writeStringField(FieldNames.METRIC, metric);
      text.writeObjectFieldStart(FieldNames.TAGS);
      for (Map.Entry<String, String> tag : tags.entrySet()) {
        text.writeStringField(tag.getKey(), tag.getValue());
      }
      text.writeEndObject();
      text.writeNumberField(FieldNames.TIMESTAMP, hour);
      text.writeArrayFieldStart(FieldNames.INTERVALS);
      for (String interval : intervals) {
        text.writeString(interval);
      }
      text.writeEndArray();
      text.writeStringField(FieldNames.REASON, REASON);
      text.writeEndObject();
    }
    return out.toByteArray();
  }

  /** Requests that Kafka has acknowledged. */
  public long sent() {
    return producer.acknowledged();
  }

  /** Requests over a limit, or that Kafka did not take: the nightly run repairs these hours. */
  public long left() {
    return left.sum();
  }

  /** Sends the queued requests. */
  @Override
  public void close() {
    producer.close();
  }
}
