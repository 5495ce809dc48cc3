package io.tsdbsuite.job.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;

/**
 * The files of spark-submit's option {@code --files} on the driver. Some cluster managers put them
 * into the driver's working directory before the job starts; others only into a directory that is
 * known after Spark's start, when the job has long read its options. The job reads them here from
 * the place that the option names.
 */
public final class SubmittedFiles {
  /** The settings in which spark-submit, by its cluster manager, passes {@code --files} on. */
  private static final String[] SETTINGS = {"spark.files", "spark.yarn.dist.files"};

  private static final String HADOOP = "spark.hadoop.";

  private SubmittedFiles() {}

  /**
   * A local file for a name. A name without a directory that does not exist here is looked for
   * among the files of {@code --files}, and copied to a temporary file that only this user can read
   * and that is deleted when the JVM ends.
   *
   * @param name a path, or the plain name of a file of {@code --files}
   * @return {@code name} itself if it exists, has a directory, or was not submitted
   * @throws IOException when the submitted file cannot be read
   */
  public static Path local(Path name) throws IOException {
    return local(name, System.getProperties());
  }

  static Path local(Path name, Properties settings) throws IOException {
    if (name.getParent() != null || name.getRoot() != null || Files.exists(name)) {
      return name;
    }
    for (String setting : SETTINGS) {
      for (String file : settings.getProperty(setting, "").split(",", -1)) {
        if (file.strip().endsWith("/" + name)) {
          return Copier.copied(file.strip(), name, settings);
        }
      }
    }
    return name;
  }

  /** Loaded for a submitted file only: programs without Hadoop call {@link #local} too. */
  private static final class Copier {
    private Copier() {}

    private static Path copied(String file, Path name, Properties settings) throws IOException {
      Configuration hadoop = new Configuration();
      for (String key : settings.stringPropertyNames()) {
        if (key.startsWith(HADOOP)) {
          hadoop.set(key.substring(HADOOP.length()), settings.getProperty(key));
        }
      }
      // The copy keeps the end of the name, which tells a file from inline JSON.
      Path copy = Files.createTempFile("submitted-", "-" + name);
      copy.toFile().deleteOnExit();
      org.apache.hadoop.fs.Path from = new org.apache.hadoop.fs.Path(file);
      try (InputStream in = from.getFileSystem(hadoop).open(from);
          OutputStream out = Files.newOutputStream(copy)) {
        in.transferTo(out);
      }
      return copy;
    }
  }
}
