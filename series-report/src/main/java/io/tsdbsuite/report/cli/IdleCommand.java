package io.tsdbsuite.report.cli;

import io.tsdbsuite.job.cli.ProgramVersion;
import io.tsdbsuite.report.select.Window;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reports series without points for a number of days. */
@Command(
    name = "idle",
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    description = {
      "Lists series without points for N days: candidates for deletion.",
      "",
      "  series-report idle --tsd-config /etc/opentsdb/opentsdb.conf --days 90 --group-by metric",
      "  series-report idle --tsd-config /etc/opentsdb/opentsdb.conf --days 90 \\",
      "    --metric 'proc.*' --format csv --output idle.csv",
      ""
    },
    footer = {
      "",
      "Exit codes: 0 done, 1 a corrupt snapshot, 2 wrong use, 3 an outside system failed, 4 a"
          + " defect."
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
  LongFunction<Window> window(List<String> problems) {
    long millis = Durations.millis("--days", days, TimeUnit.DAYS, problems);
    return time -> Window.idle(time, millis);
  }
}
