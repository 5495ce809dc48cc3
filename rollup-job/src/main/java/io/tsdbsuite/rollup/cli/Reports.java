package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.input.RollupOptions;
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
import org.jspecify.annotations.Nullable;

/** The report that a run writes and the report that it resumes. */
final class Reports {
  private final RollupCommand command;

  Reports(RollupCommand command) {
    this.command = command;
  }

  /** Whether there is a report to resume that can be read without the Hadoop configuration. */
  boolean resumesLocal() {
    return command.resume != null && ReportFile.isLocal(command.resume);
  }

  /**
   * Reads the run to resume.
   *
   * @param identity identity of this run
   * @param hadoop not needed for a local file
   * @return null for a new run
   * @throws JobException usage, when the report cannot be resumed or is of another run
   */
  @Nullable EarlierRun earlier(RunIdentity identity, @Nullable Configuration hadoop) {
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

  /** Checks the known reports: the files beside the resumed report and beside the new one. */
  private void requireNewest(EarlierRun earlier, @Nullable Configuration hadoop) {
    Map<String, ReportFile> known = new LinkedHashMap<>();
    for (String name : Arrays.asList(command.resume, command.report)) {
      // The Hadoop configuration may not be available yet if one of the two files is local.
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
   * Returns the file to write.
   *
   * @param now start time for the default name
   * @param cluster whether the driver's directory is removed when the driver ends
   * @param warnings receives a warning if no file outlives the driver
   * @return null if no report was requested and the current directory is not writable
   * @throws JobException usage, when the requested file cannot be created
   */
  @Nullable ReportFile file(
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
