package io.tsdbsuite.hbase.load;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The directory of the HFiles of one load. HBase moves the files away if they lie on its own HDFS,
 * else it copies them.
 *
 * <pre>
 *   DIR/FAMILY/RUN-LABEL-0000     finished: loaded, or waiting for it
 *   DIR/_writing/RUN-LABEL-0001   not finished: useless after its writer has ended
 * </pre>
 */
public final class HFileDir implements Closeable {
  private final Configuration conf;
  private final Path dir;
  private final String family;
  private final FileSystem files;
  private final String run;

  /**
   * @param dir with its file system, for example {@code hdfs://nn/tmp/load}
   * @param family of the table
   * @param run names the load; letters, digits and {@code _}
   * @throws IOException when the file system cannot be reached; the message names the directory
   */
  public HFileDir(Configuration conf, String dir, String family, String run) throws IOException {
    this.conf = conf;
    this.family = family;
    this.run = run;
    try {
      // A separate instance for the next setting: HBase has checksums in its blocks.
      this.files = FileSystem.newInstance(new Path(dir).toUri(), conf);
      files.setWriteChecksum(false);
      this.dir = files.makeQualified(new Path(dir));
      files.mkdirs(family());
      files.mkdirs(writing());
    } catch (IOException e) {
      throw new IOException("directory " + dir + ": " + e.getMessage(), e);
    }
  }

  Configuration conf() {
    return conf;
  }

  /** The directory's file system, which writes no checksum files. */
  public FileSystem files() {
    return files;
  }

  /** The directory, as a bulk load takes it. */
  public Path path() {
    return dir;
  }

  /** The directory of the finished files. */
  public Path family() {
    return new Path(dir, family);
  }

  Path writing() {
    return new Path(dir, "_writing");
  }

  String name(String label, int number) {
    return run + "-" + label + "-" + String.format("%04d", number);
  }

  /** The finished files that are not loaded yet, ascending by name. */
  public List<FileStatus> waiting() throws IOException {
    return list(family(), run + "-");
  }

  /** The label of the writer of a finished file. */
  public String label(FileStatus file) {
    String name = file.getPath().getName();
    return name.substring(run.length() + 1, name.lastIndexOf('-'));
  }

  /**
   * The finished files with these names, in the same order.
   *
   * @param names from {@link RegionHFiles#finished}
   * @throws FileNotFoundException when a file does not exist
   */
  public List<FileStatus> finished(List<String> names) throws IOException {
    List<FileStatus> found = new ArrayList<>(names.size());
    for (String name : names) {
      found.add(files.getFileStatus(new Path(family(), name)));
    }
    return found;
  }

  /** Removes the files of earlier writers with this label, finished or not. */
  void clear(String label) throws IOException {
    for (Path place : List.of(writing(), family())) {
      for (FileStatus file : list(place, run + "-" + label + "-")) {
        files.delete(file.getPath(), false);
      }
    }
  }

  /** Removes the directory after the load, except files of other loads. */
  public void remove() throws IOException {
    for (FileStatus file : list(writing(), run + "-")) {
      files.delete(file.getPath(), false);
    }
    for (Path place : List.of(writing(), family(), dir)) {
      if (files.exists(place) && files.listStatus(place).length == 0) {
        files.delete(place, false);
      }
    }
  }

  /** Removes the files of this load, finished or not, and the directory if it is then empty. */
  public void discard() throws IOException {
    for (FileStatus file : waiting()) {
      files.delete(file.getPath(), false);
    }
    remove();
  }

  /** Closes the file system; removes no file. */
  @Override
  public void close() throws IOException {
    files.close();
  }

  private List<FileStatus> list(Path place, String prefix) throws IOException {
    List<FileStatus> found = new ArrayList<>();
    try {
      for (FileStatus file : files.listStatus(place)) {
        if (file.isFile() && file.getPath().getName().startsWith(prefix)) {
          found.add(file);
        }
      }
    } catch (FileNotFoundException e) {
      return found;
    }
    found.sort(null);
    return found;
  }
}
