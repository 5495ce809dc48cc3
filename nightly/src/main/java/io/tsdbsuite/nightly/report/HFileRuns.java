package io.tsdbsuite.nightly.report;

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
public final class HFileRuns {
  private static final String LOADED = "_loaded";

  private final Configuration hadoop;

  /** Looks with these settings of Hadoop. */
  public HFileRuns(Configuration hadoop) {
    this.hadoop = hadoop;
  }

  /**
   * The directory of a run that must still be loaded; empty when it is loaded, or was removed after
   * that.
   *
   * @throws IOException when the storage fails
   */
  public Optional<String> waiting(JobReport report) throws IOException {
    String directory = report.text("/output/hfileDir");
    if (directory.isEmpty()) {
      return Optional.empty();
    }
    Path path = new Path(directory);
    FileSystem files = path.getFileSystem(hadoop);
    return files.exists(path) && !files.exists(new Path(path, LOADED))
        ? Optional.of(directory)
        : Optional.empty();
  }
}
