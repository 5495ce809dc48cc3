package io.tsdbsuite.nightly.report;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.storage.FileSystems;
import io.tsdbsuite.planner.report.JobReport;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The directories of HFiles that runs have written. {@code rollup-job load} leaves the file {@code
 * _loaded} in a directory when it has loaded everything.
 */
public record HFileRuns(Configuration hadoop) {
  private static final String LOADED = "_loaded";

  /**
   * The directory of a run that must still be loaded; empty when it is loaded, or was removed after
   * that.
   *
   * @param load the report of its load; empty if there is none
   * @throws JobException badInput, if the directory does not exist and was never loaded
   * @throws IOException when the storage fails
   */
  public Optional<String> waiting(JobReport report, Optional<JobReport> load) throws IOException {
    String directory = report.text("/output/hfileDir");
    if (directory.isEmpty()) {
      return Optional.empty();
    }
    Path path = new Path(directory);
    FileSystem files = FileSystems.of(path, hadoop);
    if (files.exists(path)) {
      return files.exists(new Path(path, LOADED)) ? Optional.empty() : Optional.of(directory);
    }
    boolean wasLoaded =
        load.filter(found -> found.text("/exitCode").equals("0"))
            .filter(found -> isSame(found.text("/hfileDir"), path))
            .isPresent();
    if (!wasLoaded) {
      throw JobException.badInput(
          ("the HFiles were not loaded and are gone: %s does not exist, and no report of"
                  + " rollup-job load says that they were loaded; roll up the day again with --day")
              .formatted(directory));
    }
    return Optional.empty();
  }

  private static boolean isSame(String directory, Path path) {
    return !directory.isEmpty()
        && new Path(directory).toUri().getPath().equals(path.toUri().getPath());
  }
}
