package io.tsdbsuite.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A stock Spark of the version that jobs are built for (system property {@code spark.version}),
 * from the pyspark package.
 */
public final class SparkHome {
  private SparkHome() {}

  /** The directory that contains {@code bin/spark-submit}. */
  public static Path get() throws IOException, InterruptedException {
    return get(System.getProperty("spark.version"));
  }

  /**
   * The same of another version.
   *
   * @param version of Spark, for example {@code 4.1.3}
   * @return the directory that contains {@code bin/spark-submit}
   * @throws IOException when it cannot be had
   * @throws InterruptedException when the thread is interrupted
   */
  public static Path get(String version) throws IOException, InterruptedException {
    Path home = PythonPackages.install("pyspark-" + version, "pyspark==" + version).home();
    try (Stream<Path> files = Files.walk(home)) {
      return files
          .filter(file -> file.endsWith("pyspark"))
          .filter(pyspark -> Files.exists(pyspark.resolve("bin/spark-submit")))
          .findFirst()
          .orElseThrow(() -> new IOException("no spark-submit below " + home));
    }
  }
}
