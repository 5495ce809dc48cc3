package io.tsdbsuite.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A stock Flink of the version that jobs are built for (system property {@code flink.version}),
 * from the apache-flink-libraries package: the jars and plugins of the distribution, without its
 * scripts.
 */
public final class FlinkHome {
  private FlinkHome() {}

  /** The directory that contains {@code lib} and {@code plugins}. */
  public static Path get() throws IOException, InterruptedException {
    String version = System.getProperty("flink.version");
    Path home =
        PythonPackages.install("flink-" + version, "apache-flink-libraries==" + version).home();
    String dist = "lib/flink-dist-" + version + ".jar";
    try (Stream<Path> files = Files.walk(home)) {
      return files
          .filter(file -> file.endsWith("pyflink"))
          .filter(pyflink -> Files.exists(pyflink.resolve(dist)))
          .findFirst()
          .orElseThrow(() -> new IOException("no " + dist + " below " + home));
    }
  }
}
