package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.report.RejectForm;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Rejected lines of a load, one file for each unit and form that has any, in the format of {@code
 * report.RejectFile}.
 *
 * <pre>
 *   DIR/unit-00001.txt.attempt-17 of a task; counts if the books of its unit name it
 *   DIR/unit-00001.txt            the same once it counts; .json, .influx, ... by form
 *   DIR/_stopped                  some unit was refused: the others need not be read
 *   DIR/_stopped-00001            this one was; a repeated task must refuse it again
 * </pre>
 */
final class RejectDir {
  private static final String ATTEMPT = ".attempt-";
  private static final String STOPPED = "_stopped";

  private final Path dir;
  private final FileSystem files;

  RejectDir(String dir, Configuration conf) {
    this.dir = new Path(dir);
    try {
      this.files = this.dir.getFileSystem(conf);
    } catch (IOException | IllegalArgumentException e) {
      throw JobException.outside(
          "the reject directory " + dir + " cannot be reached: " + StorageFailures.reason(e), e);
    }
  }

  /** The file of a task. */
  Path file(int unit, RejectForm form, long attempt) {
    return new Path(dir, String.format("unit-%05d.%s%s%d", unit, form.suffix(), ATTEMPT, attempt));
  }

  FileSystem files() {
    return files;
  }

  /** Marks a unit as refused, so that tasks that have not begun skip theirs. */
  void stop(int unit) {
    try {
      files.create(stopped(unit), true).close();
      files.create(new Path(dir, STOPPED), true).close();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Whether a unit need not be read. */
  boolean isStopped(int unit) {
    try {
      return files.exists(new Path(dir, STOPPED)) && !files.exists(stopped(unit));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private Path stopped(int unit) {
    return new Path(dir, String.format("%s-%05d", STOPPED, unit));
  }

  /**
   * Renames the files that count, and removes all others and empty directories.
   *
   * @param counting their names
   */
  void keep(Collection<String> counting) {
    try {
      Set<String> names = new HashSet<>(counting);
      for (FileStatus file : list()) {
        String name = file.getPath().getName();
        if (names.contains(name)) {
          Path place = new Path(dir, name.substring(0, name.indexOf(ATTEMPT)));
          if (!files.rename(file.getPath(), place)) {
            throw new IOException(name + " cannot be renamed to " + place);
          }
        } else if (name.contains(ATTEMPT) || name.startsWith(STOPPED)) {
          files.delete(file.getPath(), false);
        }
      }
      removeIfEmpty(dir);
      if (dir.getParent().getName().startsWith("_")) {
        removeIfEmpty(dir.getParent());
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private FileStatus[] list() throws IOException {
    try {
      return files.listStatus(dir);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }

  private void removeIfEmpty(Path place) throws IOException {
    if (files.exists(place) && files.listStatus(place).length == 0) {
      files.delete(place, false);
    }
  }

  JobException failed(IOException e) {
    return JobException.outside(
        "the reject directory " + dir + " cannot be written: " + StorageFailures.reason(e), e);
  }

  /** Its path. */
  @Override
  public String toString() {
    return dir.toString();
  }
}
