package io.tsdbsuite.rollup.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A stock Spark of the version that the job is built for: the one in the pyspark package, installed
 * once below .venv/ at the root of the checkout.
 */
final class SparkHome {
  private static final long INSTALL_MINUTES = 15;

  private SparkHome() {}

  /** Its directory, with {@code bin/spark-submit} in it. */
  static Path get() throws IOException, InterruptedException {
    String version = System.getProperty("spark.version");
    Path venv = Path.of("..", ".venv", "pyspark-" + version).toAbsolutePath().normalize();
    Path done = venv.resolve(".installed");
    if (!Files.exists(done)) {
      run(List.of("python3", "-m", "venv", "--clear", venv.toString()));
      run(
          List.of(
              venv.resolve("bin/pip").toString(),
              "install",
              "--quiet",
              "--disable-pip-version-check",
              "pyspark==" + version));
      Files.createFile(done);
    }
    try (Stream<Path> python = Files.list(venv.resolve("lib"))) {
      return python.findFirst().orElseThrow().resolve("site-packages").resolve("pyspark");
    }
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    Path log = Files.createTempFile(TestFiles.directory("pyspark"), "install", ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(command + " failed:" + System.lineSeparator() + Files.readString(log));
    }
  }
}
