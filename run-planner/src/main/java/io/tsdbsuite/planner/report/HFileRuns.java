package io.tsdbsuite.planner.report;

import java.io.IOException;
import java.util.Optional;

/**
 * The directories of HFiles that runs have written. {@code rollup-job load} leaves the file {@code
 * _loaded} in a directory when it has loaded everything.
 *
 * @param directories where they are
 */
public record HFileRuns(Directories directories) {
  private static final String LOADED = "_loaded";

  /** Looks at directories, whose names are as in the reports of runs. */
  public interface Directories {
    /**
     * Whether a directory exists.
     *
     * @throws IOException when the storage fails
     */
    boolean exists(String directory) throws IOException;

    /**
     * Whether a directory has a file.
     *
     * @param name its name in the directory
     * @throws IOException when the storage fails
     */
    boolean hasFile(String directory, String name) throws IOException;

    /** Whether two names are of one directory. */
    boolean isSame(String directory, String other);
  }

  /** HFiles that were not loaded do not exist any more: the day must be rolled up again. */
  public static final class GoneException extends Exception {
    private static final long serialVersionUID = 1;

    GoneException(String directory) {
      super(
          ("the HFiles were not loaded and are gone: %s does not exist, and no report of"
                  + " rollup-job load says that they were loaded")
              .formatted(directory));
    }
  }

  /**
   * The directory of a run that must still be loaded; empty when it is loaded, or was removed after
   * that, or when the run has written no HFiles.
   *
   * @param report of the run, which succeeded
   * @param load the report of its load; empty if there is none
   * @throws GoneException if the directory does not exist and was never loaded
   * @throws IOException when the storage fails
   */
  public Optional<String> waiting(JobReport report, Optional<JobReport> load)
      throws GoneException, IOException {
    String directory = report.text("/output/hfileDir");
    if (directory.isEmpty()) {
      return Optional.empty();
    }
    if (directories.exists(directory)) {
      return directories.hasFile(directory, LOADED) ? Optional.empty() : Optional.of(directory);
    }
    if (!isLoadedBy(report, load)) {
      throw new GoneException(directory);
    }
    return Optional.empty();
  }

  /**
   * Whether the report of a load says that everything that a run has written is loaded.
   *
   * @param report of the run
   * @param load the report of its load; empty if there is none
   */
  public boolean isLoadedBy(JobReport report, Optional<JobReport> load) {
    String directory = report.text("/output/hfileDir");
    return directory.isEmpty()
        || load.filter(found -> found.text("/exitCode").equals("0"))
            .map(found -> found.text("/hfileDir"))
            .filter(loaded -> !loaded.isEmpty() && directories.isSame(loaded, directory))
            .isPresent();
  }
}
