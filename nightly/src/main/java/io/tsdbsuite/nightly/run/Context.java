package io.tsdbsuite.nightly.run;

import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.nightly.process.Children;
import io.tsdbsuite.nightly.report.NightResult;
import io.tsdbsuite.nightly.report.ReportDirectory;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * What the steps of a run share.
 *
 * @param config the settings
 * @param clock the present
 * @param hadoop settings of Hadoop's file systems
 * @param children runs child processes
 * @param commands command lines of rollup-job
 * @param reports the reports of the job
 * @param result what was done
 * @param written locations of the reports that this run has written
 * @param progress takes one line for each step
 */
record Context(
    NightlyConfig config,
    Clock clock,
    Configuration hadoop,
    Children children,
    JobCommands commands,
    ReportDirectory reports,
    NightResult result,
    List<String> written,
    Consumer<String> progress) {

  static Context of(
      NightlyConfig config, Clock clock, Configuration hadoop, Consumer<String> progress) {
    Children children = new Children(config.stateDir());
    return new Context(
        config,
        clock,
        hadoop,
        children,
        new JobCommands(config, () -> List.of("--conf", children.mark())),
        new ReportDirectory(config.reports(), hadoop),
        new NightResult(),
        new ArrayList<>(),
        progress);
  }

  /**
   * Runs a command of rollup-job to its end.
   *
   * @param name the command, for messages
   * @param step name of its log file
   * @param report location of its report
   */
  EndedCommand run(String name, String step, List<String> command, String report) {
    Children.Run child = children.run(step, command);
    EndedCommand ended = new EndedCommand(name, child, reports.at(report), children.log(step));
    if (ended.report().isPresent() && !written.contains(report)) {
      written.add(report);
    }
    return ended;
  }

  /** The reports of the days, which must be of runs with these settings. */
  OwnReports ownReports() {
    return new OwnReports(config.runs(), reports);
  }
}
