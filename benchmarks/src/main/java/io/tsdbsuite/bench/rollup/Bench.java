package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.JvmFork;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Common resources of the parts.
 *
 * @param dir for files of this run
 * @param scale share of the full sizes
 * @param only text that the name of a measured figure must contain; empty for all figures
 */
record Bench(Path dir, Report report, double scale, String only) {
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
    return JvmFork.likeThis(dir.resolve("kernel.log"))
        .run(flags, main.getName(), Arrays.stream(arguments).map(Object::toString).toList());
  }
}
