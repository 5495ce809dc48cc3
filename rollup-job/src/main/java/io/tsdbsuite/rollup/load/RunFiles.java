package io.tsdbsuite.rollup.load;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.hfile.ManifestJson;
import io.tsdbsuite.rollup.hfile.RunDir;
import io.tsdbsuite.rollup.hfile.WrittenFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongBiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The directory of a run: its manifest, its files, and the state of the load.
 *
 * @param dir with its file system
 */
record RunFiles(Path dir, FileSystem files, Manifest manifest) implements StoredRun {
  /**
   * Reads the manifest.
   *
   * @throws JobException usage, when it does not exist; bad input, when it cannot be parsed;
   *     outside, when storage fails
   */
  static RunFiles open(Configuration conf, String name) {
    try {
      Path dir = new Path(name);
      FileSystem files = dir.getFileSystem(conf);
      dir = files.makeQualified(dir);
      return new RunFiles(dir, files, manifest(files, new Path(dir, RunDir.MANIFEST)));
    } catch (FileNotFoundException e) {
      throw JobException.usage(
          ("--hfile-dir must be the directory of one run, which has %s once the run is"
                  + " done, found none in %s")
              .formatted(RunDir.MANIFEST, name),
          e);
    } catch (IllegalArgumentException e) {
      throw JobException.usage("--hfile-dir " + name + " is no path: " + e.getMessage(), e);
    } catch (IOException e) {
      throw JobException.of(StorageFailures.of("directory " + name, e));
    }
  }

  private static Manifest manifest(FileSystem files, Path path) throws IOException {
    byte[] json;
    try (InputStream in = files.open(path)) {
      json = in.readAllBytes();
    }
    try {
      return ManifestJson.read(json);
    } catch (IOException e) {
      throw JobException.badInput("manifest " + path + ": " + e.getMessage(), e);
    }
  }

  @Override
  public String writer() {
    return "load-" + manifest.run();
  }

  @Override
  public String evidence() {
    return "rollup-job load, report " + new Path(dir, RunDir.LOADED);
  }

  @Override
  public void markCovered(String windows) throws IOException {
    mark(RunDir.COVERED, windows.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public List<KeyRange> before(Manifest.Table of, List<KeyRange> all) {
    return of.files().stream()
        .map(file -> new KeyRange(file.firstRow(), file.lastRow(), true))
        .toList();
  }

  @Override
  public String difference(ToLongBiFunction<Manifest.Table, String> found) {
    for (Manifest.Table table : manifest.tables()) {
      if (table.isPacked()) {
        // Its slots are compared, in whatever parts they are.
        continue;
      }
      long cells =
          SeenRollups.levels(table).stream()
              .mapToLong(level -> found.applyAsLong(table, level))
              .sum();
      if (cells != table.cells()) {
        return "table %s must have the cells of the run, %s, found %s%s"
            .formatted(
                table.name(),
                table.cells(),
                cells,
                cells < table.cells()
                    ? ": some are gone, roll up the window again"
                    : ": another run over the same snapshot has stored rollups too, which nothing"
                        + " tells apart");
      }
    }
    return "";
  }

  Path table(Manifest.Table table) {
    return RunDir.table(dir, table.name());
  }

  private Path family(Manifest.Table table) {
    return new Path(table(table), RowKey.FAMILY);
  }

  /** Whether a load has begun to hand files to HBase, so that some may be missing. */
  boolean isLoading() throws IOException {
    return !loadingInto().isEmpty();
  }

  /** The id of the cluster into which a load has begun; empty if there is none. */
  String loadingInto() throws IOException {
    try (InputStream in = files.open(new Path(dir, RunDir.LOADING))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (FileNotFoundException e) {
      return "";
    }
  }

  /** Whether a load has finished. */
  boolean isLoaded() throws IOException {
    return files.exists(new Path(dir, RunDir.LOADED));
  }

  /** Whether a load has written what the run proves into a coverage table. */
  @Override
  public boolean isCovered() throws IOException {
    return files.exists(new Path(dir, RunDir.COVERED));
  }

  /** Creates a marker file; a no-op if it exists. */
  void mark(String name, byte[] text) throws IOException {
    RunDir.mark(files, dir, name, text);
  }

  /** The remaining files of a table, by name. */
  List<String> waiting(Manifest.Table table) throws IOException {
    List<String> names = new ArrayList<>();
    for (WrittenFile file : table.files()) {
      if (files.exists(new Path(family(table), file.name()))) {
        names.add(file.name());
      }
    }
    return names;
  }

  /**
   * Returns the problems of the files, one sentence each: missing, unless a load has begun; wrong
   * length or bytes; not part of this run.
   */
  List<String> problems() throws IOException {
    boolean loading = isLoading();
    List<String> problems = new ArrayList<>();
    for (Manifest.Table table : manifest.tables()) {
      Set<String> known = new HashSet<>();
      for (WrittenFile file : table.files()) {
        known.add(file.name());
        problem(new Path(family(table), file.name()), file, loading, problems);
      }
      foreign(table, known, problems);
    }
    return problems;
  }

  private void problem(Path path, WrittenFile file, boolean loading, List<String> problems)
      throws IOException {
    long length;
    try {
      length = files.getFileStatus(path).getLen();
    } catch (FileNotFoundException e) {
      if (!loading) {
        problems.add("file " + path + " of the manifest must be there, found none");
      }
      return;
    }
    if (length != file.bytes()) {
      problems.add("file " + path + " must have " + file.bytes() + " bytes, found " + length);
      return;
    }
    long crc = RunDir.crc32c(files, path);
    if (crc != file.crc32c()) {
      problems.add(
          "file %s must have the CRC-32C %s, found %s"
              .formatted(path, Long.toHexString(file.crc32c()), Long.toHexString(crc)));
    }
  }

  /**
   * Reports foreign files. Files of a late attempt of this run are not in the manifest and are
   * ignored.
   */
  private void foreign(Manifest.Table table, Set<String> known, List<String> problems)
      throws IOException {
    if (!files.exists(family(table))) {
      return;
    }
    for (FileStatus file : files.listStatus(family(table))) {
      String name = file.getPath().getName();
      if (!known.contains(name) && !name.startsWith(RunDir.prefix(manifest.run()) + "-")) {
        problems.add("file " + file.getPath() + " must be of the manifest, which does not have it");
      }
    }
  }
}
