package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.cli.RollupCommand.SinkKind;
import io.tsdbsuite.rollup.hfile.HFileSinkFactory;
import io.tsdbsuite.rollup.input.ChangedSince;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.sink.KafkaSinkOptions;
import io.tsdbsuite.rollup.uid.UidSettings;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Checks the options of {@code rollup-job}. {@link InputReader} checks those that {@code verify}
 * has too.
 */
final class RollupOptionsReader {
  private final RollupCommand command;
  private final Clock clock;
  private final Problems problems;
  private final InputReader input;
  private final SinkReader sink;

  /**
   * @param invocation receives the problems found
   */
  RollupOptionsReader(RollupCommand command, Invocation invocation) {
    this.command = command;
    this.clock = invocation.clock();
    this.problems = invocation.problems();
    boolean changedRows = command.changedSince != null || command.sinceReport != null;
    RollupConfig fallback = command.sink == SinkKind.JSON ? DefaultRollups.CONFIG : null;
    this.input = new InputReader(command.common(), changedRows, fallback, invocation);
    this.sink = new SinkReader(command, problems);
  }

  /** Returns the job's options; null if there are problems. */
  @Nullable RollupOptions read() {
    ChangedSince changed =
        new ChangedOptions(command, problems)
            .read(input.files().schema(), input.window(), input.intervals());
    boolean hfiles = command.sink == SinkKind.HFILE;
    UidSettings uids =
        UidSettingsReader.read(command.common(), hfiles, input.files().config(), problems);
    sink.check();
    if (hfiles) {
      new HFileOptions(command, input.files().config()).check(input.intervals(), problems);
    }
    return problems.isEmpty() ? input.options(uids, changed, command.asOf) : null;
  }

  /** Warnings about allowed but dangerous options. */
  List<String> warnings() {
    return input.warnings();
  }

  /** The Kafka sink's options; only for {@link SinkKind#KAFKA}. */
  KafkaSinkOptions kafka() {
    return sink.kafka();
  }

  /** The HFile sink; only for {@link SinkKind#HFILE}, once {@link #read} found no problem. */
  HFileSinkFactory hfiles(RollupOptions options, Configuration hadoop) {
    return new HFileOptions(command, input.files().config())
        .sinks(options, Objects.requireNonNull(input.files().rollups()), hadoop, clock.instant());
  }
}
