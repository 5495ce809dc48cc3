package io.tsdbsuite.stream.cli;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.CommandTree;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdKeys;
import io.tsdbsuite.stream.flink.StreamOptions;
import io.tsdbsuite.stream.flink.StreamTopology;
import io.tsdbsuite.stream.series.SeriesHash;
import io.tsdbsuite.stream.series.StreamIntervals;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.PluginUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The command line: {@code flink run -c io.tsdbsuite.stream.cli.StreamMain}. */
public final class StreamMain {
  private static final long MILLIS = 1000;

  private final PrintWriter out;
  private final PrintWriter err;
  private final Clock clock;

  /**
   * Creates the program.
   *
   * @param out for the help, the job's id and the books
   * @param err for messages
   * @param clock the present; must be serializable
   */
  public StreamMain(PrintWriter out, PrintWriter err, Clock clock) {
    this.out = out;
    this.err = err;
    this.clock = clock;
  }

  /**
   * Runs the command. Exits with its {@link ExitCode}, but not after a submission: with Flink's
   * application mode this JVM is the job manager.
   */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    ExitCode code = new StreamMain(out, err, Clock.systemUTC()).run(args);
    if (code != ExitCode.DONE) {
      System.exit(code.code());
    }
  }

  /** Runs the command. Never throws. */
  public ExitCode run(String... args) {
    try {
      StreamCommand command = new StreamCommand();
      CommandLine tree = CommandTree.of(command);
      TsdKeys.addTo(tree.getCommandSpec(), StorageSchema.KEYS);
      Problems problems = new Problems();
      Optional<ParseResult> parsed = CommandTree.parse(tree, out, problems, args);
      if (parsed.isEmpty()) {
        return ExitCode.DONE;
      }
      return run(command, TsdKeys.given(parsed.get(), StorageSchema.KEYS), problems);
    } catch (Throwable e) {
      JobException failure = FlinkFailures.of(e);
      err.println("stream-rollup: " + failure.getMessage());
      if (failure.exitCode() == ExitCode.DEFECT) {
        e.printStackTrace(err);
      }
      return failure.exitCode();
    }
  }

  private ExitCode run(StreamCommand command, Map<String, String> tsdKeys, Problems problems)
      throws Exception {
    StreamOptionsReader reader = new StreamOptionsReader(command, problems);
    reader.check();
    StreamIntervals intervals = reader.intervals(tsdKeys);
    if (intervals == null || !problems.isEmpty()) {
      return refuse(problems);
    }
    Configuration settings =
        FlinkSettings.of(
            command, reader.seconds("--checkpoint-interval", command.checkpointInterval));
    if (command.local) {
      // As Flink's own processes do; the directory is FLINK_PLUGINS_DIR.
      FileSystem.initialize(settings, PluginUtils.createPluginManagerFromRootFolder(settings));
    }
    CheckpointDirectory.check(settings, problems);
    StreamOptions options = options(command, reader, intervals, problems);
    if (options == null) {
      return refuse(problems);
    }
    StreamExecutionEnvironment environment =
        command.local
            ? StreamExecutionEnvironment.createLocalEnvironment(settings)
            : StreamExecutionEnvironment.getExecutionEnvironment(settings);
    StreamTopology.build(environment, options, clock, SeriesHash.murmur3());
    JobClient client = environment.executeAsync("stream-rollup");
    out.println("job: " + client.getJobID());
    return command.local ? new LocalJob(client, out, err).await(command.report) : ExitCode.DONE;
  }

  private @Nullable StreamOptions options(
      StreamCommand command,
      StreamOptionsReader reader,
      StreamIntervals intervals,
      Problems problems) {
    Map<String, String> kafka = reader.kafka();
    try (KafkaStart start = new KafkaStart(kafka)) {
      List<String> series = new ArrayList<>(command.inputTopics);
      series.addAll(reader.outputTopics().subList(0, 2));
      start.checkTopics(series, reader.outputTopics().subList(2, 3), problems);
      if (!problems.isEmpty()) {
        return null;
      }
      Map<TopicPartition, Long> offsets =
          start.offsets(command.inputTopics, command.startFrom, command.group);
      return new StreamOptions(
          intervals,
          command.inputTopics,
          reader.outputTopics().get(0),
          reader.outputTopics().get(1),
          reader.outputTopics().get(2),
          kafka,
          command.group,
          offsets,
          completeFrom(command, start, offsets) + intervals.slack() * MILLIS + 1,
          reader.idleMillis());
    }
  }

  /** The slack is added to it, since a message may have points that are ahead by the slack. */
  private long completeFrom(
      StreamCommand command, KafkaStart start, Map<TopicPartition, Long> offsets) {
    // A job with a checkpoint does not use it.
    return command.fromCheckpoint == null ? start.completeFrom(offsets, clock) : clock.millis();
  }

  private ExitCode refuse(Problems problems) {
    err.println("stream-rollup: " + Problems.text(problems.all()));
    err.println("Nothing was read or written. --help lists the options.");
    return ExitCode.USAGE;
  }
}
