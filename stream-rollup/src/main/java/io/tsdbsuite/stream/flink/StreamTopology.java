package io.tsdbsuite.stream.flink;

import io.tsdbsuite.stream.series.SeriesHash;
import io.tsdbsuite.stream.series.StreamPoint;
import java.time.Clock;
import java.time.Duration;
import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Builds the job. Every operator has a uid, by which a checkpoint finds its state. */
public final class StreamTopology {
  private static final long MILLIS = 1000;

  /**
   * Records that the consumer hands to Flink at a time: with Kafka's 500 a point takes a tenth more
   * CPU. Their bytes are bounded by {@code fetch.max.bytes}.
   */
  private static final String MAX_POLL_RECORDS = "2000";

  /** How often the source looks for new partitions, ms. */
  private static final String DISCOVERY = "30000";

  /** How far the fastest partition may be ahead of the slowest: its points wait in the state. */
  private static final Duration DRIFT = Duration.ofMinutes(1);

  private static final Duration DRIFT_CHECK = Duration.ofSeconds(1);

  private StreamTopology() {}

  /**
   * Adds the job to an environment.
   *
   * @param clock limits the times of messages; must be serializable
   * @param hash makes the keys of the state: {@link SeriesHash#murmur3}, but in tests of collisions
   */
  public static void build(
      StreamExecutionEnvironment environment, StreamOptions options, Clock clock, SeriesHash hash) {
    // No operator keeps an element.
    environment.getConfig().enableObjectReuse();
    long slackMillis = options.intervals().slack() * MILLIS;
    SingleOutputStreamOperator<StreamPoint> points =
        environment
            .fromSource(source(options, slackMillis, clock, hash), watermarks(options), "kafka")
            .uid("source")
            .process(
                new GapDetector(options, slackMillis, clock),
                new ElementType<>(StreamPoint.class, StreamPointSerializer.INSTANCE))
            .name("gaps")
            .uid("gaps");
    DataStream<Tuple2<Long, Long>> missed = points.getSideOutput(GapDetector.MISSED);
    SingleOutputStreamOperator<Tuple3<Byte, byte[], byte[]>> rollups =
        points
            .keyBy(point -> point.hash, Types.LONG)
            .connect(missed.broadcast(RollupFunction.MISSED))
            .process(
                new RollupFunction(
                    options.intervals(),
                    options.firstTime(),
                    options.completeFrom(),
                    options.ahead(),
                    clock),
                OutMessages.type())
            .name("rollups")
            .uid("rollups");
    DataStream<Tuple3<Byte, byte[], byte[]>> watermarks =
        rollups
            .getSideOutput(RollupFunction.TICK)
            .keyBy(tick -> tick, Types.BYTE)
            .process(
                new WatermarkFunction(options.intervals(), options.group(), start(options)),
                OutMessages.type())
            .setParallelism(1)
            .name("watermarks")
            .uid("watermarks");
    KafkaSink<Tuple3<Byte, byte[], byte[]>> sink = sink(options);
    rollups.sinkTo(sink).name("rollups-to-kafka").uid("sink");
    watermarks.sinkTo(sink).setParallelism(1).name("watermarks-to-kafka").uid("watermark-sink");
  }

  /** Without a job before, nothing is requested that ended before the start. */
  private static RollupStart start(StreamOptions options) {
    return options.firstTime() < options.completeFrom()
        ? new RollupStart(options.firstTime(), options.completeFrom())
        : new RollupStart(0, 0);
  }

  private static KafkaSource<KafkaPoint> source(
      StreamOptions options, long slackMillis, Clock clock, SeriesHash hash) {
    Properties properties = properties(options);
    properties.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_POLL_RECORDS);
    properties.putIfAbsent(KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(), DISCOVERY);
    return KafkaSource.<KafkaPoint>builder()
        .setProperties(properties)
        .setTopics(options.inputTopics())
        .setGroupId(options.group())
        .setStartingOffsets(
            OffsetsInitializer.offsets(options.start(), OffsetResetStrategy.EARLIEST))
        .setDeserializer(
            new PointDeserializer(
                slackMillis,
                options.earliestTime(),
                options.idleMillis(),
                options.limits(),
                clock,
                hash,
                options.intervals()))
        .build();
  }

  private static WatermarkStrategy<KafkaPoint> watermarks(StreamOptions options) {
    return WatermarkStrategy.<KafkaPoint>forMonotonousTimestamps()
        .withTimestampAssigner((element, time) -> element.time)
        .withIdleness(Duration.ofMillis(options.idleMillis()))
        .withWatermarkAlignment("kafka", DRIFT, DRIFT_CHECK);
  }

  private static KafkaSink<Tuple3<Byte, byte[], byte[]>> sink(StreamOptions options) {
    Properties properties = properties(options);
    properties.putIfAbsent(ProducerConfig.ACKS_CONFIG, "all");
    properties.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
    properties.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, "100");
    return KafkaSink.<Tuple3<Byte, byte[], byte[]>>builder()
        .setBootstrapServers(
            options.kafka().getOrDefault(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, ""))
        .setKafkaProducerConfig(properties)
        // Repeated messages write the same values at the same time.
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .setRecordSerializer(
            new OutSerializer(
                options.rollupTopic(), options.requestTopic(), options.watermarkTopic()))
        .build();
  }

  static Properties properties(StreamOptions options) {
    Properties properties = new Properties();
    properties.putAll(options.kafka());
    return properties;
  }
}
