package io.tsdbsuite.bulk.it;

import io.tsdbsuite.bulk.cli.BulkLoaderMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line in a JVM of its own, which can be killed. */
final class LoaderProcess {
  private final Process process;
  private final Path log;

  private LoaderProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts it in a directory, where relative names begin. */
  static LoaderProcess start(Path directory, Path log, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+UseSerialGC");
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(BulkLoaderMain.class.getName());
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new LoaderProcess(process, log);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** As {@code kill -9} does; returns when it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /**
   * By SIGTERM, whose hooks in the process are those of Ctrl-C; a child of a shell's background job
   * may ignore the latter's SIGINT. Returns when it is gone.
   */
  void interrupt() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  String log() throws IOException {
    return Files.readString(log);
  }
}
