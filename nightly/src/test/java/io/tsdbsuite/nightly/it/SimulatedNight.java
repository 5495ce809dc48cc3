package io.tsdbsuite.nightly.it;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.ProgramMain;
import io.tsdbsuite.nightly.cli.NightlyMain;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;

/**
 * A run at a simulated time: the clock of rollup-nightly, and the creation times of its snapshots.
 */
final class SimulatedNight {
  private SimulatedNight() {}

  static ExitCode run(Instant now, PrintWriter out, PrintWriter err, String... args) {
    return new NightlyMain(out, err, Clock.fixed(now, ZoneOffset.UTC), now::toEpochMilli).run(args);
  }

  /** The time, and then the options of rollup-nightly. */
  public static void main(String[] args) {
    ProgramMain.run(
        "rollup-nightly",
        (out, err) ->
            run(Instant.parse(args[0]), out, err, Arrays.copyOfRange(args, 1, args.length)));
  }
}
