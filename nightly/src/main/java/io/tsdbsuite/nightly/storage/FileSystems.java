package io.tsdbsuite.nightly.storage;

import java.io.IOException;
import java.net.UnknownHostException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Hadoop's file systems. */
public final class FileSystems {
  private FileSystems() {}

  /**
   * The file system of a path.
   *
   * @throws IOException when it cannot be reached. HDFS throws an IllegalArgumentException for a
   *     host or a name service that it does not know; this is an IOException here
   */
  public static FileSystem of(Path path, Configuration hadoop) throws IOException {
    try {
      return path.getFileSystem(hadoop);
    } catch (IllegalArgumentException e) {
      if (e.getCause() instanceof UnknownHostException) {
        throw new IOException(
            ("the host or name service of %s is unknown; the directory HADOOP_CONF_DIR must"
                    + " have the cluster's core-site.xml and hdfs-site.xml")
                .formatted(path),
            e);
      }
      throw e;
    }
  }
}
