package io.tsdbsuite.stream.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.stream.flink.StreamOptions;
import io.tsdbsuite.stream.flink.StreamTopology;
import io.tsdbsuite.stream.series.SeriesAggregator;
import io.tsdbsuite.stream.series.SeriesHash;
import io.tsdbsuite.stream.series.StreamIntervals;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.PluginUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Checks the options of {@code stream-rollup}, and starts the job or only plans it. */
final class StreamRun {
  private static final long MILLIS = 1000;

  /** Hours of all series ahead of their messages that a start keeps; 100 bytes and a name each. */
  private static final int MOST_AHEAD = 200_000;

  /** Messages of a topic that a start reads. */
  private static final long MOST_MESSAGES = 50_000_000;

  /** A series requests the last two days of a range, ms; see SeriesAggregator. */
  private static final long MOST_REQUESTED = 2L * 86_400_000;

  /** Default of kafka-ingest's requeueDelay, seconds. */
  private static final int REQUEUE_DELAY = 300;

  private final StreamCommand command;
  private final PrintWriter out;
  private final PrintWriter err;
  private final Clock clock;
  private final Problems problems;
  private final List<String> warnings = new ArrayList<>();

  /**
   * @param out for the plan, the job's id and the books
   * @param err for messages
   * @param clock the present; must be serializable
   * @param problems of parsing
   */
  StreamRun(
      StreamCommand command, PrintWriter out, PrintWriter err, Clock clock, Problems problems) {
    this.command = command;
    this.out = out;
    this.err = err;
    this.clock = clock;
    this.problems = problems;
  }

  /**
   * Runs the command.
   *
   * @param tsdKeys values that override keys of opentsdb.conf
   * @throws Exception of Flink or Kafka; see {@link FlinkFailures}
   */
  ExitCode run(Map<String, String> tsdKeys) throws Exception {
    command.check(problems);
    StreamIntervals intervals = command.intervals(tsdKeys, problems);
    if (intervals == null || !problems.isEmpty()) {
      return refuse();
    }
    Configuration settings = FlinkSettings.of(command);
    if (command.local) {
      // As Flink's own processes do; the directory is FLINK_PLUGINS_DIR.
      FileSystem.initialize(settings, PluginUtils.createPluginManagerFromRootFolder(settings));
    }
    CheckpointDirectory.check(settings, !command.dryRun, problems);
    StreamOptions options = options(intervals);
    if (options == null) {
      return refuse();
    }
    if (command.dryRun) {
      plan(options);
      return ExitCode.DONE;
    }
    warnings.forEach(warning -> err.println("stream-rollup: warning: " + warning));
    StreamExecutionEnvironment environment =
        command.local
            ? StreamExecutionEnvironment.createLocalEnvironment(settings)
            : StreamExecutionEnvironment.getExecutionEnvironment(settings);
    StreamTopology.build(environment, options, clock, SeriesHash.murmur3());
    JobClient client = environment.executeAsync("stream-rollup");
    out.println("job: " + client.getJobID());
    return command.local ? new LocalJob(client, out, err).await(command.report) : ExitCode.DONE;
  }

  private @Nullable StreamOptions options(StreamIntervals intervals) {
    Map<String, String> kafka = command.kafka(problems);
    try (KafkaStart start = new KafkaStart(kafka, err)) {
      List<String> series = new ArrayList<>(command.inputTopics);
      series.addAll(command.outputTopics().subList(0, 2));
      start.checkTopics(series, command.outputTopics().subList(2, 3), problems);
      if (!problems.isEmpty()) {
        return null;
      }
      Map<TopicPartition, Long> offsets =
          start.offsets(command.inputTopics, command.startFrom, command.group);
      warn(start, intervals);
      Begin begin =
          command.fromCheckpoint == null
              ? begin(start, offsets, intervals)
              // A job with a checkpoint does not use it.
              : new Begin(clock.millis(), clock.millis(), Map.of());
      return new StreamOptions(
          intervals,
          command.inputTopics,
          command.outputTopics().get(0),
          command.outputTopics().get(1),
          command.outputTopics().get(2),
          kafka,
          command.group,
          command.earliestTime(),
          offsets,
          begin.firstTime,
          begin.completeFrom,
          begin.ahead,
          command.idleMillis(),
          command.limits());
    }
  }

  private void warn(KafkaStart start, StreamIntervals intervals) {
    for (String topic : command.inputTopics) {
      if (!start.hasLogAppendTime(topic)) {
        warnings.add(
            ("topic %s has message.timestamp.type=CreateTime: a producer's clock can hold"
                    + " event time back or leave buckets to repair. Set LogAppendTime")
                .formatted(topic));
      }
    }
    if (intervals.slack() >= REQUEUE_DELAY) {
      warnings.add(
          "requeueDelay of kafka-ingest's groups of type REPAIR must be longer than --slack, or"
              + " their values hide points of buckets that are still open. Its default is 5m,"
              + " found --slack: "
              + command.slack);
    }
  }

  /**
   * From when on a job without a checkpoint writes and requests.
   *
   * @param ahead see {@link StreamOptions}
   */
  private record Begin(long firstTime, long completeFrom, Map<String, List<Long>> ahead) {}

  private Begin begin(
      KafkaStart start, Map<TopicPartition, Long> offsets, StreamIntervals intervals) {
    KafkaStart.Times times = start.times(offsets, command.earliestTime(), clock);
    // A message may have points that are ahead by the slack.
    long completeFrom = times.complete() + intervals.slack() * MILLIS + 1;
    if (offsets.values().stream().allMatch(offset -> offset == 0)) {
      // There was no job before, or all is read again, also the points ahead of their messages.
      return new Begin(completeFrom, completeFrom, Map.of());
    }
    AheadHours ahead = new AheadHours(completeFrom / MILLIS, MOST_AHEAD);
    long left = start.ahead(command.requestTopic, MOST_MESSAGES, ahead);
    if (left > 0) {
      warnings.add(
          ("topic %s should have at most %s messages, found %s more: points ahead of their"
                  + " messages that those tell are not known")
              .formatted(command.requestTopic, MOST_MESSAGES, left));
    }
    if (ahead.completeFrom() > 0) {
      completeFrom = Math.max(completeFrom, ahead.completeFrom() * MILLIS);
      warnings.add(
          "%sbuckets of all series that begin before %s are left to repair"
              .formatted(tooManyAhead(), Instant.ofEpochMilli(completeFrom)));
    }
    if (ahead.dropped() > 0) {
      warnings.add(
          tooManyAhead()
              + ahead.dropped()
              + " from "
              + Instant.ofEpochSecond(ahead.droppedFrom())
              + " on are not known, their buckets may be written without the points");
    }
    // A job before may have been held back by an idle partition, or have had no watermark.
    long firstTime = times.first() - Math.max(command.idleMillis(), SeriesAggregator.LEAD);
    long before =
        start.startedBefore(command.watermarkTopic, command.group, MOST_MESSAGES, times.first());
    if (before < firstTime) {
      firstTime = before;
      warnings.add(
          ("a job of group %s has started without a checkpoint within a day before: what it"
                  + " had to request is requested again, from %s on")
              .formatted(command.group, Instant.ofEpochMilli(firstTime)));
    }
    if (completeFrom - firstTime > MOST_REQUESTED) {
      warnings.add(
          "buckets before "
              + Instant.ofEpochMilli(completeFrom - MOST_REQUESTED)
              + " that may be missing are not requested, they are left to the nightly run");
    }
    return new Begin(firstTime, completeFrom, ahead.hours());
  }

  private String tooManyAhead() {
    return ("topic %s has more than %s hours of series with points ahead of their messages,"
            + " mend the producers' clocks: ")
        .formatted(command.requestTopic, MOST_AHEAD);
  }

  private void plan(StreamOptions options) {
    DryRun plan = new DryRun();
    for (int i = 0; i < options.intervals().size(); i++) {
      plan.line("interval", options.intervals().name(i));
    }
    if (!options.intervals().suite().isEmpty()) {
      plan.line("suite", options.intervals().suite().text());
    }
    options.start().entrySet().stream()
        .sorted(Comparator.comparing(start -> start.getKey().toString()))
        .forEach(start -> plan.line("read", start.getKey() + " from offset " + start.getValue()));
    if (command.fromCheckpoint == null) {
      plan.line(
          "complete from",
          Instant.ofEpochMilli(options.completeFrom()) + ", earlier buckets are not written");
      if (options.firstTime() < options.completeFrom()) {
        plan.line(
            "request from",
            Instant.ofEpochMilli(options.firstTime())
                + ", less --slack and --spread: buckets that ended later, of each series");
      }
      plan.line("points ahead", options.ahead().size(), "series have hours that are requested");
    } else {
      plan.line("start from", command.fromCheckpoint + ", with its own offsets");
    }
    plan.line(
        "repairs",
        "requeueDelay of kafka-ingest must be longer than --slack, which is " + command.slack);
    warnings.forEach(warning -> plan.line("warning", warning));
    plan.line("rollups", "to topic " + options.rollupTopic());
    plan.line("requests", "to topic " + options.requestTopic());
    plan.line("watermarks", "to topic " + options.watermarkTopic());
    out.print(plan.end("no job was started, nothing was written"));
    out.flush();
  }

  private ExitCode refuse() {
    err.println("stream-rollup: " + Problems.text(problems.all()));
    err.println("Nothing was read or written. --help lists the options.");
    return ExitCode.USAGE;
  }
}
