package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.KafkaProperties;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.rollup.sink.KafkaSinkOptions;
import io.tsdbsuite.rollup.sink.PartitionBy;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code --sink kafka}. */
final class KafkaOptions {
  static final String ONLY = "goes with --sink kafka only";

  @Option(names = "--kafka-bootstrap", paramLabel = "HOST:PORT,...", description = "Kafka brokers.")
  @Nullable String bootstrap;

  @Option(names = "--topic", paramLabel = "TOPIC", description = "An existing Kafka topic.")
  @Nullable String topic;

  @Option(
      names = "--kafka-property",
      paramLabel = "K=V",
      description =
          "Property of the Kafka producer (TLS, SASL/SCRAM, MSK IAM, ...). Can be repeated. acks"
              + " and enable.idempotence cannot be weakened.")
  Map<String, String> properties = new LinkedHashMap<>();

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      description =
          "Java properties file with producer properties, for secrets, or references to secrets in"
              + " files and AWS Secrets Manager; --kafka-property wins.")
  @Nullable Path config;

  @Option(
      names = "--format",
      paramLabel = "aggregate|rollup",
      defaultValue = "rollup",
      description =
          "Kafka messages: rollup, one for each series and interval; aggregate, one for"
              + " each aggregator, the format of the stock consumers."
              + RollupCommand.DEFAULT)
  MessageFormat format = MessageFormat.ROLLUP;

  @Option(
      names = "--rollups-per-message",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "With --format rollup: maximum of rollups of one series in one Kafka message, 1 to 1000."
              + " Several are an array, which kafka-ingest reads and other consumers must support;"
              + " 24 suits a day of 1h."
              + RollupCommand.DEFAULT)
  int rollupsPerMessage = 1;

  @Option(
      names = "--partition-by",
      paramLabel = "series|metric",
      defaultValue = "series",
      description =
          "Kafka partition: hash of the series, or of the metric first and the series"
              + " second, so that a consumer can own all series of a metric."
              + RollupCommand.DEFAULT)
  PartitionBy partitionBy = PartitionBy.SERIES;

  @Option(
      names = "--partitions-per-metric",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Partitions that a metric spreads over, with --partition-by metric."
              + RollupCommand.DEFAULT)
  int partitionsPerMetric = 1;

  @Option(
      names = "--max-messages-per-second",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Limit for the whole job, shared by all running tasks; 0 is no limit."
              + RollupCommand.DEFAULT)
  double maxMessagesPerSecond;

  private @Nullable Map<String, String> settings;

  /** Checks that no option is given. */
  void refuse(Problems problems) {
    problems.refuse("--kafka-bootstrap", bootstrap, ONLY);
    problems.refuse("--topic", topic, ONLY);
    problems.refuse("--kafka-config", config, ONLY);
    if (!properties.isEmpty()) {
      problems.add("--kafka-property " + ONLY);
    }
    if (rollupsPerMessage != 1) {
      problems.add("--rollups-per-message " + ONLY);
    }
    if (maxMessagesPerSecond > 0) {
      problems.add("--max-messages-per-second " + ONLY);
    }
  }

  /**
   * Reads the options; {@link KafkaSinkOptions#problems} checks them.
   *
   * @param arrays whether rollup_config.json asks for objects of version 3
   */
  KafkaSinkOptions read(boolean arrays, Problems problems) {
    if (settings == null) {
      // Once: a secret may be gone, or another, at a second time.
      settings = KafkaProperties.read(config, properties, problems);
    }
    return new KafkaSinkOptions(
        Objects.requireNonNullElse(bootstrap, ""),
        Objects.requireNonNullElse(topic, ""),
        new TreeMap<>(settings),
        format,
        partitionBy,
        partitionsPerMetric,
        rollupsPerMessage,
        arrays,
        maxMessagesPerSecond);
  }
}
