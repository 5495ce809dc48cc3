package io.tsdbsuite.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A stock Spark of the version that jobs are built for (system property {@code spark.version}): the
 * one in the pyspark package, installed once below .venv/ at the root of the checkout.
 */
public final class SparkHome {
  private static final long INSTALL_MINUTES = 15;

  private SparkHome() {}

  /** Its directory, with {@code bin/spark-submit} in it. */
  public static Path get() throws IOException, InterruptedException {
    String version = System.getProperty("spark.version");
    Path home = Path.of("..", ".venv", "pyspark-" + version).toAbsolutePath().normalize();
    Path done = home.resolve(".installed");
    if (!Files.exists(done)) {
      install(home, "pyspark==" + version);
      Files.createFile(done);
    }
    try (Stream<Path> files = Files.walk(home)) {
      return files
          .filter(file -> file.endsWith(Path.of("pyspark", "bin", "spark-submit")))
          .findFirst()
          .orElseThrow(() -> new IOException("no spark-submit below " + home))
          .getParent()
          .getParent();
    }
  }

  /** Into a virtual environment; where Python comes without the means for one, by its own pip. */
  private static void install(Path home, String requirement)
      throws IOException, InterruptedException {
    try {
      run(List.of("python3", "-m", "venv", "--clear", home.toString()));
      run(pip(home.resolve("bin").resolve("python3").toString(), requirement));
    } catch (IOException venv) {
      List<String> command = new ArrayList<>(pip("python3", requirement));
      command.addAll(List.of("--upgrade", "--target", home.toString()));
      try {
        run(command);
      } catch (IOException pip) {
        pip.addSuppressed(venv);
        throw pip;
      }
    }
  }

  private static List<String> pip(String python, String requirement) {
    return List.of(
        python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement);
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    Path log = WorkDirs.fresh("pyspark").resolve("install.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(command + " failed:" + System.lineSeparator() + Files.readString(log));
    }
  }
}
