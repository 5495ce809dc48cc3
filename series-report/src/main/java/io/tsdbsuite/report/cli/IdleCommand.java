package io.tsdbsuite.report.cli;

import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.report.select.Window;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reports series without points for a number of days. */
@Command(
    name = "idle",
    description = {
      "Lists series without points for N days: candidates for deletion.",
      "",
      "  series-report idle --tsd-config /etc/opentsdb/opentsdb.conf --days 90 --group-by metric",
      "  series-report idle --tsd-config /etc/opentsdb/opentsdb.conf --days 90 \\",
      "    --metric 'proc.*' --format csv --output idle.csv",
      ""
    })
final class IdleCommand extends ReportCommand {
  @Option(
      names = "--days",
      paramLabel = "N",
      description = "Last received at least N days ago (default: ${DEFAULT-VALUE}).")
  private String days = "30";

  IdleCommand() {
    super("idle");
  }

  @Override
  LongFunction<Window> window(Problems problems) {
    long millis = Durations.millis("--days", days, TimeUnit.DAYS, problems);
    return time -> Window.idle(time, millis);
  }
}
