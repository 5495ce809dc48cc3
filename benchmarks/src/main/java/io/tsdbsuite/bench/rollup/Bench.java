package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.Child;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Common resources of the parts.
 *
 * @param dir for files of this run
 * @param scale share of the full sizes
 * @param only text that the name of a measured figure must contain; empty for all figures
 */
record Bench(Path dir, Report report, double scale, String only) {
  private static final String KERNEL = "bench-rollup-kernel";

  /** JVM flags: heap and collector of a small executor, and the packages that Spark opens. */
  private static final List<String> FLAGS =
      List.of(
          "-Xmx2g",
          "-XX:+UseG1GC",
          "-XX:-UsePerfData",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.net=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.cs=ALL-UNNAMED",
          "--add-opens=java.base/sun.security.action=ALL-UNNAMED",
          "--add-opens=java.base/sun.util.calendar=ALL-UNNAMED");

  /** The scaled share of a full size, at least one unit. */
  int scaled(int full, int unit) {
    return Math.max(1, (int) Math.round(full * scale / unit)) * unit;
  }

  /** Whether to measure the figure with this name. */
  boolean wants(String name) {
    return name.contains(only);
  }

  /**
   * Runs a class of this class path in a separate JVM, with an empty directory as first argument.
   */
  KernelRun fork(Class<?> main, Object... arguments) throws IOException, InterruptedException {
    return fork(List.of(), main, arguments);
  }

  /** Like {@link #fork(Class, Object...)}, with additional flags of the JVM. */
  KernelRun fork(List<String> flags, Class<?> main, Object... arguments)
      throws IOException, InterruptedException {
    Path work = WorkDirs.fresh(KERNEL);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(flags);
    command.add("-Djava.io.tmpdir=" + work.toAbsolutePath());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.add(work.toString());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    try {
      return KernelRun.parse(Child.run(command, Map.of(), dir.resolve("kernel.log")));
    } finally {
      WorkDirs.fresh(KERNEL);
    }
  }
}
