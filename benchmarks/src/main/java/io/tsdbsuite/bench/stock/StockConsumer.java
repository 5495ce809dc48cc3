package io.tsdbsuite.bench.stock;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.util.concurrent.RateLimiter;
import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.Tags;
import net.opentsdb.rollup.RollUpDataPoint;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread of the stock plugin: an object mapper, a permit of the rate limiter and one {@code
 * addAggregatePoint} per message. Offsets are committed by time, without waiting for HBase.
 */
final class StockConsumer implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(StockConsumer.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final ObjectMapper mapper =
      new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
  private final TSDB tsdb;
  private final Map<String, Object> settings;
  private final String topic;
  private final Gate gate;
  private final RateLimiter limiter;
  private final AtomicLong stored;
  private final AtomicLong failed;

  StockConsumer(
      TSDB tsdb,
      Map<String, Object> settings,
      String topic,
      Gate gate,
      RateLimiter limiter,
      AtomicLong stored,
      AtomicLong failed) {
    this.tsdb = tsdb;
    this.settings = settings;
    this.topic = topic;
    this.gate = gate;
    this.limiter = limiter;
    this.stored = stored;
    this.failed = failed;
  }

  @Override
  public void run() {
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
      consumer.subscribe(List.of(topic));
      while (!Thread.currentThread().isInterrupted()) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          gate.pass();
          double unused = limiter.acquire();
          store(mapper.readValue(record.value(), RollUpDataPoint.class))
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

  private Deferred<Object> store(RollUpDataPoint point) {
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
}
