package io.tsdbsuite.bench.measure;

import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs kernels, each in a JVM of its own with the heap and collector of a small executor.
 *
 * @param classPath of the kernels
 * @param log receives the output of the last kernel
 */
public record JvmFork(String classPath, Path log) {
  private static final String WORK = "bench-kernel";

  /** Heap, collector, and the packages that Spark opens. */
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

  /** A fork with this JVM's class path. */
  public static JvmFork likeThis(Path log) {
    return new JvmFork(System.getProperty("java.class.path"), log);
  }

  /**
   * Runs a kernel.
   *
   * @param flags added to the JVM's
   * @param kernel name of its class; its first argument is an empty directory
   * @throws IllegalStateException with its output, when the exit code is not 0
   */
  public KernelRun run(List<String> flags, String kernel, List<String> arguments)
      throws IOException, InterruptedException {
    Path work = WorkDirs.fresh(WORK);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(flags);
    command.add("-Djava.io.tmpdir=" + work.toAbsolutePath());
    command.add("-cp");
    command.add(classPath);
    command.add(kernel);
    command.add(work.toString());
    command.addAll(arguments);
    try {
      return KernelRun.parse(Child.run(command, Map.of(), log));
    } finally {
      WorkDirs.fresh(WORK);
    }
  }
}
