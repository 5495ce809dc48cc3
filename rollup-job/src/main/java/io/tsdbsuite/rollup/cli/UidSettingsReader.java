package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.uid.UidSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks the options for the source of UID names. */
final class UidSettingsReader {
  private UidSettingsReader() {}

  /**
   * Returns the settings; incomplete if there are problems.
   *
   * @param hfiles whether HFiles are written, which contain UIDs: they need names only for the
   *     metric filter
   * @param config null if it cannot be read, which is reported separately
   * @param problems receives the problems found
   */
  static UidSettings read(
      CommonOptions options, boolean hfiles, @Nullable TsdConfig config, Problems problems) {
    return read(options, hfiles, hfiles, config, problems);
  }

  /**
   * As {@link #read(CommonOptions, boolean, TsdConfig, Problems)}.
   *
   * @param live whether the command needs a live HBase whatever the source of names is
   */
  static UidSettings read(
      CommonOptions options,
      boolean hfiles,
      boolean live,
      @Nullable TsdConfig config,
      Problems problems) {
    InputOptions input = options.input();
    boolean filter = !options.choice().metrics.isEmpty();
    UidSource source = hfiles && !filter ? UidSource.NONE : input.uidSource;
    switch (source) {
      case NONE -> checkNone(input, hfiles, filter, problems);
      case SNAPSHOT -> checkSnapshot(input, live, problems);
      case HBASE ->
          problems.refuse(
              "--uid-snapshot", input.uidSnapshot, "does not go with --uid-source hbase");
    }
    return new UidSettings(
        source,
        source == UidSource.SNAPSHOT ? input.uidSnapshot : null,
        source == UidSource.HBASE ? input.hbase.clientProperties(config, problems) : Map.of());
  }

  private static void checkNone(
      InputOptions input, boolean hfiles, boolean filter, Problems problems) {
    if (!hfiles) {
      problems.add("--uid-source must be snapshot or hbase: --sink hfile alone needs no names");
    } else if (filter) {
      problems.add("--metrics needs names: --uid-source must be snapshot or hbase");
    }
    problems.refuse(
        "--uid-snapshot", input.uidSnapshot, "is not read by --sink hfile without --metrics");
  }

  private static void checkSnapshot(InputOptions input, boolean live, Problems problems) {
    problems.require("--uid-snapshot", input.uidSnapshot);
    if (!input.hbase.properties.isEmpty() && !live) {
      problems.add("--hbase-property goes with --uid-source hbase and --sink hfile only");
    }
  }
}
