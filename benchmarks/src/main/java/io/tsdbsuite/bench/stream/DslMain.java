package io.tsdbsuite.bench.stream;

import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;

/** Runs {@link DslTopology} with the defaults of Kafka Streams, until the JVM is killed. */
final class DslMain {
  /** As the slack of stream-rollup. */
  private static final Duration GRACE = Duration.ofMinutes(2);

  private DslMain() {}

  /** Arguments: brokers, application id, topic of points, topic of rollups, state, threads. */
  public static void main(String[] args) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, args[1]);
    settings.put(StreamsConfig.STATE_DIR_CONFIG, args[4]);
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, args[5]);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    KafkaStreams streams = new KafkaStreams(DslTopology.of(args[2], args[3], GRACE), settings);
    streams.setUncaughtExceptionHandler(
        failure -> {
          failure.printStackTrace();
          return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    streams.setStateListener(
        (now, before) -> {
          if (now == KafkaStreams.State.ERROR) {
            Runtime.getRuntime().halt(1);
          }
        });
    streams.start();
  }
}
