package io.tsdbsuite.ingest.publish;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Sends points to Kafka and limits how many of them wait in memory. {@link #send} never blocks and
 * never throws: a point beyond the limit is lost. Thread-safe.
 *
 * <p>Every point is acknowledged, lost or still queued.
 */
public final class BoundedProducer implements AutoCloseable {
  /** Makes the record of a point; not called for a point beyond the limit. */
  @FunctionalInterface
  public interface RecordSource {
    /**
     * Makes the record.
     *
     * @throws IOException when the point cannot be a message
     */
    ProducerRecord<byte[], byte[]> make() throws IOException;
  }

  private final AsyncProducer producer;
  private final int maxQueued;
  private final String tooSlow;
  private final AtomicInteger queued = new AtomicInteger();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();

  /**
   * Creates a producer without opening a connection.
   *
   * @param name name of its thread
   * @param settings settings of Kafka's producer
   * @param maxQueued maximum of points that Kafka has not acknowledged, at least 1
   */
  public BoundedProducer(String name, Map<String, Object> settings, int maxQueued) {
    this(new AsyncProducer(name, settings), maxQueued);
  }

  /** Creates one that sends with a producer, which it closes. */
  public BoundedProducer(AsyncProducer producer, int maxQueued) {
    this.producer = producer;
    this.maxQueued = maxQueued;
    this.tooSlow = "Kafka is too slow, " + maxQueued + " records are queued already";
  }

  /**
   * Queues a point.
   *
   * @param source makes its record, on the calling thread
   * @param onLoss called at most once, on any thread, with the reason if the point is lost
   */
  public void send(RecordSource source, Consumer<String> onLoss) {
    if (queued.incrementAndGet() > maxQueued) {
      lose(tooSlow, onLoss);
      return;
    }
    ProducerRecord<byte[], byte[]> record;
    try {
      record = source.make();
    } catch (IOException | RuntimeException e) {
      lose(e.toString(), onLoss);
      return;
    }
    producer.send(
        record,
        failure -> {
          if (failure == null) {
            acknowledged.incrementAndGet();
            queued.decrementAndGet();
          } else {
            lose(failure.toString(), onLoss);
          }
        });
  }

  private void lose(String reason, Consumer<String> onLoss) {
    lost.incrementAndGet();
    queued.decrementAndGet();
    onLoss.accept(reason);
  }

  /** Points that Kafka has acknowledged. */
  public long acknowledged() {
    return acknowledged.get();
  }

  /** Points that Kafka did not accept. */
  public long lost() {
    return lost.get();
  }

  /** Points that Kafka has not acknowledged yet. */
  public int queued() {
    return queued.get();
  }

  /** Sends the queued points, for at most twenty seconds. */
  @Override
  public void close() {
    producer.close();
  }
}
