package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.job.RollupOptions;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.resume.EarlierRun;
import io.tsdbsuite.rollup.resume.ResumeCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/** The report that a run writes, and the one that it resumes. */
final class Reports {
  private final RollupCommand command;

  Reports(RollupCommand command) {
    this.command = command;
  }

  /** Whether there is one to resume, and it can be read without Hadoop's settings. */
  boolean resumesLocal() {
    return command.resume != null && ReportFile.isLocal(command.resume);
  }

  /**
   * The run to go on with.
   *
   * @param identity what this run is asked to do
   * @param hadoop not needed for a local file
   * @return null when this run begins anew
   * @throws JobException usage, when the report cannot be resumed or is of another run
   */
  EarlierRun earlier(RunIdentity identity, Configuration hadoop) {
    if (command.resume == null) {
      return null;
    }
    EarlierRun earlier = ReportFile.of(command.resume, hadoop).read();
    List<String> problems = ResumeCheck.options(earlier, identity);
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
    if (!earlier.done()) {
      requireNewest(earlier, hadoop);
    }
    return earlier;
  }

  /** Looks at the reports that are known: those beside the resumed one, and beside the new one. */
  private void requireNewest(EarlierRun earlier, Configuration hadoop) {
    Map<String, ReportFile> known = new LinkedHashMap<>();
    for (String name : Arrays.asList(command.resume, command.report)) {
      // Hadoop's settings may not be known yet where one of both needs none.
      if (name != null && (hadoop != null || ReportFile.isLocal(name))) {
        ReportFile.of(name, hadoop).beside().forEach(file -> known.put(file.toString(), file));
      }
    }
    for (ReportFile file : known.values()) {
      Instant taken = file.laterThan(earlier);
      if (taken != null) {
        throw JobException.usage(
            "--resume "
                + earlier.report()
                + ": its data snapshot was taken "
                + earlier.identity().snapshots().get("--data-snapshot")
                + ", and "
                + file
                + " is the report of a run over the same window that is done, with a snapshot of "
                + taken
                + ": going on would put older values over newer ones; there is nothing left to do");
      }
    }
  }

  /**
   * The file to write.
   *
   * @param now for the name, if nobody gave one
   * @param cluster whether the driver's directory ends with it
   * @param warnings receives why there is no file that outlives the driver
   * @return null when nobody asked for a report and the current directory cannot take one
   * @throws JobException usage, when the file that was asked for cannot be there
   */
  ReportFile file(
      RollupOptions options,
      Configuration hadoop,
      Instant now,
      boolean cluster,
      Consumer<String> warnings) {
    String name = command.report == null ? command.resume : command.report;
    if (name != null) {
      ReportFile file = ReportFile.of(name, hadoop);
      file.check();
      return file;
    }
    if (cluster) {
      warnings.accept(
          "without --report URI the report is in the driver's directory, which ends with it: a run"
              + " that dies cannot be resumed");
    }
    if (!Files.isWritable(Path.of("").toAbsolutePath())) {
      warnings.accept(
          "the current directory cannot be written, so there is no report and a run that dies"
              + " cannot be resumed: give --report");
      return null;
    }
    return ReportFile.of(ReportName.of(options, now), hadoop);
  }
}
