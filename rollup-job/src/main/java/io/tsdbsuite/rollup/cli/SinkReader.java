package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.KafkaProperties;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.cli.RollupCommand.SinkKind;
import io.tsdbsuite.rollup.sink.KafkaSinkOptions;
import io.tsdbsuite.rollup.sink.PartitionBy;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks the options of the sinks, except for {@link HFileOptions}. */
final class SinkReader {
  private static final String KAFKA_ONLY = "goes with --sink kafka only";

  private final RollupCommand command;
  private final Problems problems;
  private @Nullable Map<String, String> kafkaSettings;

  /**
   * @param problems receives the problems found
   */
  SinkReader(RollupCommand command, Problems problems) {
    this.command = command;
    this.problems = problems;
  }

  /** Checks that the options belong to the chosen sink, and checks the options of Kafka. */
  void check() {
    if (command.sink != SinkKind.HFILE) {
      problems.refuse("--hfile-dir", command.hfileDir, "goes with --sink hfile only");
      if (!command.targetSnapshots.isEmpty()) {
        problems.add("--target-snapshot goes with --sink hfile only");
      }
    }
    if (command.sink == SinkKind.JSON) {
      problems.require("--output", command.output);
    } else {
      problems.refuse("--output", command.output, "goes with --sink json only");
    }
    if (!(command.maxMessagesPerSecond >= 0)) {
      problems.add(
          "--max-messages-per-second must be 0 or more, found: " + command.maxMessagesPerSecond);
    }
    if (command.sink == SinkKind.KAFKA) {
      checkKafka();
    } else {
      noKafka();
    }
    resume();
  }

  private void checkKafka() {
    if (command.partitionsPerMetric != 1 && command.partitionBy != PartitionBy.METRIC) {
      problems.add("--partitions-per-metric goes with --partition-by metric only");
    }
    if (!command.dryRun) {
      problems.addAll(kafka().problems());
    }
  }

  private void noKafka() {
    problems.refuse("--kafka-bootstrap", command.kafkaBootstrap, KAFKA_ONLY);
    problems.refuse("--topic", command.topic, KAFKA_ONLY);
    problems.refuse("--kafka-config", command.kafkaConfig, KAFKA_ONLY);
    if (!command.kafkaProperties.isEmpty()) {
      problems.add("--kafka-property " + KAFKA_ONLY);
    }
    if (command.rollupsPerMessage != 1) {
      problems.add("--rollups-per-message " + KAFKA_ONLY);
    }
    if (command.maxMessagesPerSecond > 0) {
      problems.add("--max-messages-per-second " + KAFKA_ONLY);
    }
  }

  private void resume() {
    if (command.sink == SinkKind.HFILE) {
      problems.refuse(
          "--resume",
          command.resume,
          KAFKA_ONLY
              + ": files of --sink hfile are complete only once their own run has written them"
              + " all; run the window again");
    }
    if (command.sink == SinkKind.JSON) {
      problems.refuse(
          "--resume",
          command.resume,
          KAFKA_ONLY
              + ": files of --sink json are valid only once their own run has committed them all;"
              + " remove the directory and run the window again");
    }
    if (command.dryRun) {
      problems.refuse("--resume", command.resume, "does not go with --dry-run");
    }
  }

  /** The Kafka sink's options; only for {@link SinkKind#KAFKA}. */
  KafkaSinkOptions kafka() {
    if (kafkaSettings == null) {
      // Once: a secret may be gone, or another, at a second time.
      kafkaSettings = KafkaProperties.read(command.kafkaConfig, command.kafkaProperties, problems);
    }
    return new KafkaSinkOptions(
            Objects.requireNonNullElse(command.kafkaBootstrap, ""),
            Objects.requireNonNullElse(command.topic, ""))
        .withProperties(kafkaSettings)
        .withFormat(command.format)
        .withPartitionBy(command.partitionBy, command.partitionsPerMetric)
        .withRollupsPerMessage(command.rollupsPerMessage)
        .withMessagesPerSecond(command.maxMessagesPerSecond);
  }
}
