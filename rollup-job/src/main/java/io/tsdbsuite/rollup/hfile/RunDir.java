package io.tsdbsuite.rollup.hfile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The directory of the files of one run.
 *
 * <pre>
 *   DIR/1-RUN/TABLE/t/v1_RUN-r17-a23-0000   region 17, by task attempt 23
 *   DIR/1-RUN/TABLE/_writing/...            unfinished, invalid
 *   DIR/1-RUN/manifest.json                 written last by the job
 *   DIR/1-RUN/_loading, _covered, _loaded   the load has begun, proven, ended
 * </pre>
 *
 * <p>1 is the version of the format: of names, manifest and cells. In names of tables in other
 * namespaces {@code =} replaces the colon, which is invalid in a path.
 */
public final class RunDir {
  /** The version of the format. */
  public static final int FORMAT = 1;

  /** Of manifests of runs whose rollups may have more than sum, min, max and count. */
  private static final int SUITE_FORMAT = 2;

  /** Of manifests with tables of histograms. */
  private static final int HISTOGRAM_FORMAT = 3;

  /** Of manifests with tables of packed rows. */
  private static final int PACKED_FORMAT = 4;

  /** Lists all files; a directory without it is incomplete. */
  public static final String MANIFEST = "manifest.json";

  /** Created before the first file is handed to HBase. */
  public static final String LOADING = "_loading";

  /** Created after all cells were found in the tables, and the coverage was written. */
  public static final String LOADED = "_loaded";

  /** Created after windows of the run were written into a coverage table: never again. */
  public static final String COVERED = "_covered";

  private static final int BUFFER_BYTES = 256 << 10;

  private RunDir() {}

  /**
   * The format of a manifest.
   *
   * @param hasSuite whether it has a {@link Manifest#suite}
   * @param hasHistograms whether it {@link Manifest#hasHistograms}
   * @param hasPacked whether it {@link Manifest#hasPacked}
   */
  static int format(boolean hasSuite, boolean hasHistograms, boolean hasPacked) {
    return hasPacked
        ? PACKED_FORMAT
        : hasHistograms ? HISTOGRAM_FORMAT : hasSuite ? SUITE_FORMAT : FORMAT;
  }

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

  /** Prefix of the file names. */
  public static String prefix(String run) {
    return "v" + FORMAT + "_" + run;
  }

  /**
   * Creates a marker file, which is whole under its name: a killed process may leave another file.
   * A no-op if it exists, unless it is empty and must not be, as earlier versions left it.
   *
   * @throws IOException when it cannot be written
   */
  public static void mark(FileSystem files, Path dir, String name, byte[] text) throws IOException {
    Path mark = new Path(dir, name);
    boolean exists = files.exists(mark);
    if (exists && (text.length == 0 || files.getFileStatus(mark).getLen() > 0)) {
      return;
    }
    replace(files, dir, name, text);
  }

  /**
   * Writes a file, which is whole under its name.
   *
   * @throws IOException when it cannot be written
   */
  public static void replace(FileSystem files, Path dir, String name, byte[] text)
      throws IOException {
    Path part = new Path(dir, "_part-" + name);
    Path file = new Path(dir, name);
    try (OutputStream out = files.create(part, true)) {
      out.write(text);
    }
    files.delete(file, false);
    if (!files.rename(part, file)) {
      throw new IOException(part + " cannot be renamed to " + name);
    }
  }

  /**
   * Computes the CRC-32C of all bytes of a file.
   *
   * @throws IOException when it cannot be read
   */
  public static long crc32c(FileSystem files, Path file) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = files.open(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        crc.update(buffer, 0, read);
      }
    }
    return crc.getValue();
  }
}
