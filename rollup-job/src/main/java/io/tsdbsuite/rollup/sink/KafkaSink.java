package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.message.write.MessageEncoder;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.SeriesText;
import io.tsdbsuite.rollup.rate.Leases;
import io.tsdbsuite.rollup.rate.RateLimitException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the messages of one task attempt and waits for every acknowledgement: {@code sent =
 * acknowledged} when {@link #finish} returns.
 *
 * <ol>
 *   <li>{@link #emit} collects the rollups of a series to messages and sends each, as fast as the
 *       job's limit allows. The producer opens at the first message.
 *   <li>Kafka's threads count acknowledgements and keep the first failure, which the next message
 *       throws. With too many unacknowledged messages it waits for half of them.
 *   <li>While it waits, it also looks whether brokers keep refusing the login, on which the
 *       producer itself would wait until its time-out.
 *   <li>{@link #finish} waits for all messages, at most delivery.timeout.ms and some seconds.
 * </ol>
 */
final class KafkaSink implements RollupSink {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSink.class);

  /**
   * In-flight limit, in messages. Kafka limits the compressed bytes, but each message also takes
   * about 200 bytes of heap for its key and callback.
   */
  private static final long MAX_UNACKNOWLEDGED = 250_000;

  /** Interval for polling acknowledgements. */
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /**
   * Added to delivery.timeout.ms, so that Kafka's own error, which is more precise, comes first.
   */
  private static final Duration GRACE = Duration.ofSeconds(5);

  /**
   * Messages between two checks for refused logins while the sink does not wait; a power of two.
   */
  private static final int MESSAGES_BETWEEN_LOOKS = 1024;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final KafkaSinkOptions options;
  private final int taskPartition;
  private final Supplier<Producer<byte[], byte[]>> producers;

  /** Null unless the format is {@code aggregate}. */
  private final @Nullable MessageEncoder aggregates;

  private final SeriesBatches rollups;
  private final Throttle.Clock clock;
  private final Throttle throttle;

  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicReference<Failure> failure = new AtomicReference<>();

  // Set at the first point.
  private @Nullable Producer<byte[], byte[]> producer;
  private @Nullable Partitioning partitioning;
  private @Nullable RefusedLogins refused;

  private long points;

  /** Messages of the points handed over; rollups, with several in a message. */
  private long emitted;

  private long sent;
  private boolean finished;

  /**
   * @param asOf timestamp of the messages, milliseconds since the epoch
   */
  KafkaSink(
      KafkaSinkOptions options,
      long asOf,
      int taskPartition,
      long attempt,
      Supplier<Producer<byte[], byte[]>> producers,
      Leases leases,
      Throttle.Clock clock) {
    this.options = options;
    this.taskPartition = taskPartition;
    this.producers = producers;
    this.clock = clock;
    this.throttle = new Throttle(leases, attempt, clock);
    this.aggregates =
        options.format() == MessageFormat.AGGREGATE ? options.format().encoder(asOf) : null;
    this.rollups =
        new SeriesBatches(
            asOf,
            options.rollupsPerMessage(),
            options.arrays(),
            SeriesBatches.MAX_HEAP_BYTES,
            this::send);
  }

  @Override
  public void emit(RollupPoint point) throws SinkException {
    if (aggregates == null) {
      emitted++;
      rollups.add(point);
      return;
    }
    SeriesText series = SeriesText.of(point);
    int messages = aggregates.messages(point);
    emitted += messages;
    for (int i = 0; i < messages; i++) {
      byte[] message = aggregates.encode(point, i).toByteArray();
      // The last message completes the rollup.
      send(series, message, i == messages - 1 ? 1 : 0);
    }
  }

  /** With several rollups in a message the number of messages is known once they are sent. */
  private long due() {
    return options.rollupsPerMessage() == 1 ? emitted : sent;
  }

  private void send(SeriesText series, byte[] message, int ofRollups) throws SinkException {
    Producer<byte[], byte[]> open = producer == null ? open() : producer;
    byte[] key = series.key();
    Integer partition =
        partitioning == null ? null : partitioning.partition(key, series.metricLength());
    throwFailure();
    try {
      throttle.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SinkException.Retryable(
          "task was interrupted while it waited for --max-messages-per-second", e);
    } catch (RateLimitException e) {
      throw new SinkException.Retryable(String.valueOf(e.getMessage()), e);
    }
    send(open, new ProducerRecord<>(options.topic(), partition, key, message));
    points += ofRollups;
  }

  private Producer<byte[], byte[]> open() throws SinkException {
    Producer<byte[], byte[]> opened;
    try {
      opened = producers.get();
      producer = opened;
      if (options.partitionBy() == PartitionBy.METRIC) {
        partitioning =
            new Partitioning(opened.partitionsFor(options.topic()).size(), options.spread());
      }
    } catch (KafkaException e) {
      throw KafkaFailures.sinkException(
          "Kafka at " + options.bootstrap() + " can't be used for topic " + options.topic(), e);
    }
    refused = new RefusedLogins(opened.metrics(), clock);
    return opened;
  }

  private void send(Producer<byte[], byte[]> open, ProducerRecord<byte[], byte[]> message)
      throws SinkException {
    sent++;
    Acknowledgement acknowledgement = new Acknowledgement(message.key(), message.value().length);
    try {
      // The future is not needed: the callback receives every result, including failures.
      var unused = open.send(message, acknowledgement);
    } catch (InterruptException e) {
      throw new SinkException.Retryable("task was interrupted while it sent to Kafka", e);
    } catch (KafkaException | IllegalStateException e) {
      acknowledgement.onCompletion(null, e);
    }
    throwFailure();
    if (sent % MESSAGES_BETWEEN_LOOKS == 0) {
      throwRefusal();
    }
    if (sent - acknowledged.get() > MAX_UNACKNOWLEDGED) {
      await(sent - MAX_UNACKNOWLEDGED / 2);
    }
  }

  /**
   * Waits until {@code count} messages are acknowledged. Does not use Kafka's flush, which never
   * returns when the brokers fail before the producer has its id, because batches do not expire
   * then.
   */
  private void await(long count) throws SinkException {
    long timeout = options.deliveryTimeout().plus(GRACE).toNanos();
    long start = clock.nanoTime();
    while (acknowledged.get() < count) {
      throwFailure();
      throwRefusal();
      if (clock.nanoTime() - start > timeout) {
        throw new SinkException.Retryable(
            String.format(
                Locale.ROOT,
                "topic %s acknowledged %d of %d messages of partition %d, and nothing more within"
                    + " delivery.timeout.ms=%d: Kafka at %s is down, not reachable, or too slow",
                options.topic(),
                acknowledged.get(),
                sent,
                taskPartition,
                options.deliveryTimeout().toMillis(),
                options.bootstrap()));
      }
      try {
        clock.sleep(POLL_NANOS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SinkException.Retryable(
            "task was interrupted while it waited for Kafka's acknowledgements", e);
      }
    }
  }

  /** A message that Kafka did not take, and why. */
  private record Failure(byte[] key, int valueBytes, Exception cause) {}

  /** Receives the result of one message, without a reference to the message. */
  private final class Acknowledgement implements Callback {
    private final byte[] key;
    private final int valueBytes;

    Acknowledgement(byte[] key, int valueBytes) {
      this.key = key;
      this.valueBytes = valueBytes;
    }

    @Override
    public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
      if (exception == null) {
        acknowledged.incrementAndGet();
      } else {
        failure.compareAndSet(null, new Failure(key, valueBytes, exception));
      }
    }
  }

  private void throwFailure() throws SinkException {
    Failure first = failure.get();
    if (first == null) {
      return;
    }
    String key = new String(first.key, StandardCharsets.UTF_8);
    if (first.cause instanceof RecordTooLargeException) {
      throw new SinkException.Fatal(
          String.format(
              Locale.ROOT,
              "topic %s refused the message of series %s (%d bytes) as too large: raise"
                  + " max.request.size (--kafka-property) and the topic's max.message.bytes or the"
                  + " brokers' message.max.bytes%s: %s",
              options.topic(),
              key,
              first.key.length + first.valueBytes,
              options.rollupsPerMessage() == 1 ? "" : ", or lower --rollups-per-message",
              first.cause.getMessage()),
          first.cause);
    }
    if (first.cause instanceof TimeoutException && refused != null && !refused.reason().isEmpty()) {
      throw refusal(refused);
    }
    throw KafkaFailures.sinkException(
        "topic " + options.topic() + " did not take the message of series " + key, first.cause);
  }

  private void throwRefusal() throws SinkException {
    if (refused != null && refused.persist()) {
      throw refusal(refused);
    }
  }

  private SinkException refusal(RefusedLogins logins) {
    return new SinkException.Fatal(
        String.format(
            Locale.ROOT,
            "topic %s acknowledged %d of %d messages of partition %d, then Kafka at %s: %s",
            options.topic(),
            acknowledged.get(),
            sent,
            taskPartition,
            options.bootstrap(),
            logins.reason()));
  }

  @Override
  public SinkResult finish() throws SinkException {
    rollups.flush();
    if (producer != null) {
      sendNow(producer);
      await(sent);
    }
    finished = true;
    return new SinkResult(taskPartition, points, due(), sent, null);
  }

  /**
   * Lets the producer send the batches that are not full. They would wait for linger.ms, which is
   * longer than a small task. Does not wait: {@link Producer#flush} returns when all messages are
   * acknowledged or have failed, and never if the brokers fail before the producer has its id. Then
   * the thread ends when the producer is closed.
   */
  private static void sendNow(Producer<?, ?> producer) {
    Thread thread =
        new Thread(
            () -> {
              try {
                producer.flush();
              } catch (KafkaException | IllegalStateException e) {
                // The callbacks of the messages have the failure, or the producer is closed.
              }
            },
            "rollup-flush");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void abort() {
    closeProducer(Duration.ZERO);
  }

  @Override
  public void close() {
    closeProducer(finished ? CLOSE_TIMEOUT : Duration.ZERO);
  }

  private void closeProducer(Duration timeout) {
    if (producer == null) {
      return;
    }
    try {
      producer.close(timeout);
    } catch (KafkaException e) {
      // All counted messages are acknowledged or abandoned by now.
      LOG.warn("Kafka producer of topic {} did not close cleanly", options.topic(), e);
    }
    producer = null;
  }
}
