package io.tsdbsuite.report.cli;

import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.report.select.Window;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reports series that stopped within a number of hours. */
@Command(
    name = "stopped",
    description = {
      "Lists series that stopped in the last M hours, for example by a failed collector. A failed"
          + " host appears as many series with the same value of the host tag.",
      "",
      "  series-report stopped --tsd-config /etc/opentsdb/opentsdb.conf --group-by host",
      "  series-report stopped --tsd-config /etc/opentsdb/opentsdb.conf --hours 72 \\",
      "    --tag 'host=web*' --sort last-received --limit 100",
      ""
    })
final class StoppedCommand extends ReportCommand {
  @Option(
      names = "--hours",
      paramLabel = "M",
      description = "Last received at most this many hours ago (default: ${DEFAULT-VALUE}).")
  private String hours = "24";

  @Option(
      names = "--grace",
      paramLabel = "DURATION",
      description =
          "Last received at least DURATION ago (default: ${DEFAULT-VALUE}). Must be longer than"
              + " tsd.meta.cache.ttl_seconds plus the interval between points: the last received"
              + " time of a live series can be that old.")
  private String grace = "2h";

  StoppedCommand() {
    super("stopped");
  }

  @Override
  LongFunction<Window> window(Problems problems) {
    long millis = Durations.millis("--hours", hours, TimeUnit.HOURS, problems);
    long graceMillis = Durations.millis("--grace", grace, problems);
    if (problems.isEmpty() && graceMillis >= millis) {
      problems.add(
          "--grace must be shorter than --hours, found: " + grace + " and " + hours + " hours");
    }
    return time -> Window.stopped(time, millis, graceMillis);
  }
}
