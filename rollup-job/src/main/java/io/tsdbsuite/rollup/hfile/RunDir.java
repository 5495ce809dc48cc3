package io.tsdbsuite.rollup.hfile;

import org.apache.hadoop.fs.Path;

/**
 * The directory of the files of one run.
 *
 * <pre>
 *   DIR/1-RUN/TABLE/t/v1_RUN-r17-a23-0000   region 17, by task attempt 23
 *   DIR/1-RUN/TABLE/_writing/...            not finished: worth nothing
 *   DIR/1-RUN/manifest.json                 the last thing that the job writes
 *   DIR/1-RUN/_loading, _loaded             the load has begun, is done
 * </pre>
 *
 * <p>1 is the version of the format: of names, manifest and cells. A table of another namespace has
 * {@code =} for the colon in its name, which no path may have.
 */
public final class RunDir {
  /** The version of the format. */
  public static final int FORMAT = 1;

  /** Says what there is; without it nothing is complete. */
  public static final String MANIFEST = "manifest.json";

  /** Made before the first file is handed to HBase. */
  public static final String LOADING = "_loading";

  /** Made after everything was found in the table. */
  public static final String LOADED = "_loaded";

  private RunDir() {}

  /**
   * The directory of a run.
   *
   * @param dir of all runs
   */
  public static Path of(String dir, String run) {
    return new Path(dir, FORMAT + "-" + run);
  }

  /** The directory of a table's files. */
  public static Path table(Path runDir, String table) {
    return new Path(runDir, table.replace(':', '='));
  }

  /** What names of files begin with. */
  public static String prefix(String run) {
    return "v" + FORMAT + "_" + run;
  }
}
