package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.sink.PartitionBy;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the destination. */
final class SinkOptions {
  private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");

  @Option(
      names = "--sink",
      paramLabel = "kafka|json|hfile",
      defaultValue = "kafka",
      description =
          "Destination of the rollups: Kafka messages; JSON lines; or HFiles of this"
              + " cluster's rollup tables, for 'rollup-job load'."
              + RollupCommand.DEFAULT)
  SinkKind kind = SinkKind.KAFKA;

  @Mixin KafkaOptions kafka = new KafkaOptions();

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "Directory for --sink json; it must not exist or be empty. One line for each series and"
              + " interval. Valid once it has _SUCCESS; a run that was killed leaves _temporary and"
              + " no other file: make sure that it has ended, remove the directory, run again.")
  @Nullable String output;

  @Mixin HFileOptions hfile = new HFileOptions();

  /** Checks that the options belong to the chosen sink, and those of Kafka and JSON. */
  void check(boolean dryRun, Problems problems) {
    if (kind != SinkKind.HFILE) {
      hfile.refuse(problems);
    }
    if (kind == SinkKind.JSON) {
      problems.require("--output", output);
    } else {
      problems.refuse("--output", output, "goes with --sink json only");
    }
    if (!(kafka.maxMessagesPerSecond >= 0)) {
      problems.add(
          "--max-messages-per-second must be 0 or more, found: " + kafka.maxMessagesPerSecond);
    }
    if (kind != SinkKind.KAFKA) {
      kafka.refuse(problems);
      return;
    }
    if (kafka.partitionsPerMetric != 1 && kafka.partitionBy != PartitionBy.METRIC) {
      problems.add("--partitions-per-metric goes with --partition-by metric only");
    }
    if (!dryRun) {
      problems.addAll(kafka.read(false, problems).problems());
    }
  }

  /** Adds the options that decide where rollups go and in which form, for {@code --resume}. */
  void identity(Map<String, String> all) {
    all.put("--sink", text(kind));
    switch (kind) {
      case JSON -> all.put("--output", output);
      case HFILE -> {
        all.put("--hfile-dir", hfile.dir);
        all.put("--target-snapshot", String.join(",", hfile.targetSnapshots));
      }
      case KAFKA -> {
        // The order of the brokers is irrelevant.
        all.put(
            "--kafka-bootstrap",
            Arrays.stream(COMMA.split(Objects.requireNonNull(kafka.bootstrap).trim(), -1))
                .sorted()
                .collect(Collectors.joining(",")));
        all.put("--topic", kafka.topic);
        all.put("--format", text(kafka.format));
        all.put("--partition-by", text(kafka.partitionBy));
        all.put("--partitions-per-metric", Integer.toString(kafka.partitionsPerMetric));
      }
    }
  }

  /** The value of an option. */
  static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Destinations of rollups. */
  enum SinkKind {
    /** Messages to a topic. */
    KAFKA,
    /** JSON lines in files. */
    JSON,
    /** HFiles of the rollup tables. */
    HFILE
  }
}
