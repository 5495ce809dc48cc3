package io.tsdbsuite.bench.stream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Which core a process runs on, by taskset. */
final class Cores {
  private static final Path TASKSET = Path.of("/usr/bin/taskset");

  private Cores() {}

  /** Whether processes can be bound to cores here. */
  static boolean canBind() {
    return Files.isExecutable(TASKSET) && Runtime.getRuntime().availableProcessors() > 1;
  }

  /** Start of a command that runs on the first core; empty where that is not possible. */
  static List<String> first() {
    return canBind() ? List.of(TASKSET.toString(), "-c", "0") : List.of();
  }

  /** Binds a running process to the second core. */
  static void bindToSecond(long pid) throws IOException, InterruptedException {
    bind(pid, "1");
  }

  /** Lets a running process use all cores. */
  static void release(long pid) throws IOException, InterruptedException {
    bind(pid, "0-" + (Runtime.getRuntime().availableProcessors() - 1));
  }

  private static void bind(long pid, String cores) throws IOException, InterruptedException {
    if (canBind()) {
      int code =
          new ProcessBuilder(TASKSET.toString(), "-a", "-c", "-p", cores, Long.toString(pid))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
      if (code != 0) {
        throw new IllegalStateException("taskset must end with 0, found " + code);
      }
    }
  }
}
