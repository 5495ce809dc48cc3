package io.tsdbsuite.stream.flink;

import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.stream.series.SeriesHash;
import io.tsdbsuite.stream.series.StreamPoint;
import java.io.IOException;
import java.time.Clock;
import java.util.function.Consumer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What stream-rollup does with a message before its state: reads it, and sends it to a task. */
public final class PointReader {
  private static final long IDLE_MILLIS = 300_000;

  private final PointDeserializer deserializer;
  private final DataOutputSerializer out = new DataOutputSerializer(256);
  private final DataInputDeserializer in = new DataInputDeserializer();
  private final StreamPoint received = new StreamPoint();

  /**
   * Creates a reader.
   *
   * @param slackMillis slack, milliseconds
   */
  public PointReader(long slackMillis) {
    // The messages of a benchmark have no time of their own.
    deserializer =
        new PointDeserializer(
            slackMillis,
            Long.MIN_VALUE,
            IDLE_MILLIS,
            MessageLimits.DEFAULT,
            Clock.systemUTC(),
            SeriesHash.murmur3());
    deserializer.open(new NoContext());
  }

  /** Reads the point of a message. */
  public void read(ConsumerRecord<byte[], byte[]> message, Consumer<StreamPoint> points) {
    deserializer.deserialize(
        message,
        new Collector<>() {
          @Override
          public void collect(KafkaPoint element) {
            if (element.kind != KafkaPoint.Kind.POINT) {
              throw new IllegalStateException("a point must be found, found " + element.kind);
            }
            points.accept(element.point);
          }

          @Override
          public void close() {}
        });
  }

  /** Writes a point as for another task, and reads it there. */
  public StreamPoint send(StreamPoint point) {
    try {
      out.clear();
      StreamPointSerializer.INSTANCE.serialize(point, out);
      in.setBuffer(out.getSharedBuffer(), 0, out.length());
      return StreamPointSerializer.INSTANCE.deserialize(received, in);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
