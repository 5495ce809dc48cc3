package io.tsdbsuite.nightly.storage;

import io.tsdbsuite.planner.report.HFileRuns;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Directories of HFiles on Hadoop's file systems. */
public record HadoopDirectories(Configuration hadoop) implements HFileRuns.Directories {
  @Override
  public boolean exists(String directory) throws IOException {
    return exists(new Path(directory));
  }

  @Override
  public boolean hasFile(String directory, String name) throws IOException {
    return exists(new Path(directory, name));
  }

  private boolean exists(Path path) throws IOException {
    return FileSystems.of(path, hadoop).exists(path);
  }

  /** By their paths alone: a file system may have several names. */
  @Override
  public boolean isSame(String directory, String other) {
    return new Path(directory).toUri().getPath().equals(new Path(other).toUri().getPath());
  }
}
