package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.rollup.report.RunIdentity;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes JSON lines to a directory on any Hadoop file system.
 *
 * <pre>
 *   output/_temporary/17-part-00003.jsonl     while attempt 17 writes partition 3
 *   output/part-00003.jsonl                   after the job has committed
 *   output/_SUCCESS                           written last
 * </pre>
 *
 * <p>A partition without a point has no file.
 */
public final class JsonSinkFactory implements SinkFactory {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(JsonSinkFactory.class);

  private static final String TEMPORARY = "_temporary";
  private static final String SUCCESS = "_SUCCESS";

  private final SerializableConfiguration settings;
  private final String output;
  private long asOf;

  /** On the driver: directories created by {@link #check}, deepest first. */
  private transient @Nullable List<Path> made;

  /** On the driver: files moved by {@link #commit}. */
  private final transient List<Path> committed = new ArrayList<>();

  /**
   * Creates a factory for a directory.
   *
   * @param configuration configuration of its file system
   * @param output the directory, which must be empty or absent
   */
  public JsonSinkFactory(Configuration configuration, String output) {
    this.settings = new SerializableConfiguration(new Configuration(configuration));
    this.output = output;
  }

  @Override
  public void asOf(long millis) {
    asOf = millis;
  }

  /** Checks that the output directory is empty or absent, and creates it. */
  @Override
  public void check() throws SinkException {
    if (output == null || output.isBlank()) {
      throw new SinkException.Fatal("--output must name a directory for the JSON lines");
    }
    try {
      Path directory = new Path(output);
      FileSystem fileSystem = fileSystem(directory);
      refuseUsed(fileSystem, directory);
      List<Path> missing = new ArrayList<>();
      for (Path path = directory; path != null && !fileSystem.exists(path); ) {
        missing.add(path);
        path = path.getParent();
      }
      made = missing;
      committed.clear();
      if (!fileSystem.mkdirs(new Path(directory, TEMPORARY))) {
        throw new IOException("the file system refused to create it and gave no reason");
      }
    } catch (IllegalArgumentException e) {
      throw new SinkException.Fatal("--output " + output + " is not a path: " + e.getMessage(), e);
    } catch (IOException e) {
      throw HadoopFailures.sinkException("output directory " + output + " cannot be created", e);
    }
  }

  private void refuseUsed(FileSystem fileSystem, Path directory) throws IOException, SinkException {
    FileStatus[] children;
    try {
      if (!fileSystem.getFileStatus(directory).isDirectory()) {
        throw new SinkException.Fatal("output " + output + " must be a directory, but is a file");
      }
      children = fileSystem.listStatus(directory);
    } catch (FileNotFoundException e) {
      return;
    }
    if (children.length == 0) {
      return;
    }
    boolean complete = false;
    boolean killed = false;
    for (FileStatus child : children) {
      complete |= child.getPath().getName().equals(SUCCESS);
      killed |= child.getPath().getName().equals(TEMPORARY);
    }
    String state =
        complete
            ? ", the output of a run that succeeded"
            : killed ? ", the output of a run that was killed or still runs" : "";
    throw new SinkException.Fatal(
        String.format(
            Locale.ROOT,
            "output directory %s must be empty or absent, but has %d entries, among them %s%s:"
                + " remove them or choose another",
            output,
            children.length,
            children[0].getPath().getName(),
            state));
  }

  private FileSystem fileSystem(Path directory) throws IOException {
    return directory.getFileSystem(settings.value());
  }

  @Override
  public boolean takesBack() {
    return true;
  }

  @Override
  public RollupSink open(int partition, long attempt) {
    Path file = new Path(new Path(output, TEMPORARY), attempt + "-" + name(partition));
    return new JsonSink(settings.value(), file, asOf, partition);
  }

  private static String name(int partition) {
    return String.format(Locale.ROOT, "part-%05d.jsonl", partition);
  }

  /** False: no file is valid before {@link #commit}, and {@link #abort} removes them all. */
  @Override
  public boolean keepsFinished() {
    return false;
  }

  @Override
  public void commit(List<SinkResult> results, RunIdentity run) throws SinkException {
    Set<Integer> partitions = new HashSet<>();
    for (SinkResult result : results) {
      if (!partitions.add(result.partition())) {
        throw new IllegalArgumentException("partition " + result.partition() + " has two results");
      }
    }
    try {
      Path directory = new Path(output);
      FileSystem fileSystem = fileSystem(directory);
      for (SinkResult result : results) {
        if (result.file() != null) {
          Path from = new Path(result.file());
          Path to = new Path(directory, name(result.partition()));
          if (!fileSystem.rename(from, to)) {
            throw new IOException("the file system refused to rename " + from + " to " + to);
          }
          committed.add(to);
        }
      }
      fileSystem.delete(new Path(directory, TEMPORARY), true);
      fileSystem.create(new Path(directory, SUCCESS), true).close();
    } catch (IOException e) {
      throw HadoopFailures.sinkException("output directory " + output + " cannot be completed", e);
    }
  }

  /** Removes files and directories of this job; a no-op if {@link #check} did not pass. */
  @Override
  public void abort() {
    if (made == null) {
      return;
    }
    try {
      Path directory = new Path(output);
      FileSystem fileSystem = fileSystem(directory);
      for (Path file : committed) {
        fileSystem.delete(file, false);
      }
      fileSystem.delete(new Path(directory, SUCCESS), false);
      fileSystem.delete(new Path(directory, TEMPORARY), true);
      for (Path path : made) {
        if (fileSystem.exists(path) && fileSystem.listStatus(path).length == 0) {
          fileSystem.delete(path, false);
        }
      }
    } catch (IOException e) {
      LOG.warn("output directory {} could not be cleaned up: remove its contents", output, e);
    }
  }
}
