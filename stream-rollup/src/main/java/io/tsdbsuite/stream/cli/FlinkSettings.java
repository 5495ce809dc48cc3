package io.tsdbsuite.stream.cli;

import io.tsdbsuite.stream.cli.StreamCommand.StateBackend;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;

/**
 * Flink's configuration for the options. The keys are those of Flink 1.20, which Flink 2 has too.
 */
final class FlinkSettings {
  /** Flink refuses a path without a scheme, after the job was built. */
  private static final List<String> DIRECTORIES =
      List.of(
          "execution.checkpointing.dir",
          "execution.checkpointing.savepoint-dir",
          "execution.state-recovery.path");

  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:");

  private FlinkSettings() {}

  /** Translates the options. A directory without a scheme is a path of this machine. */
  static Configuration of(StreamCommand command) {
    Configuration settings = new Configuration();
    settings.setString("execution.checkpointing.interval", command.checkpointSeconds() + " s");
    settings.setString("execution.checkpointing.storage", "filesystem");
    if (command.checkpointDir != null) {
      settings.setString("execution.checkpointing.dir", command.checkpointDir);
      settings.setString("execution.checkpointing.savepoint-dir", command.checkpointDir);
    }
    settings.setString(
        "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    settings.setString(
        "state.backend.type", command.state == StateBackend.HEAP ? "hashmap" : "rocksdb");
    settings.setString("restart-strategy.type", "exponential-delay");
    if (command.parallelism != null) {
      settings.setString("parallelism.default", command.parallelism.toString());
    }
    if (command.fromCheckpoint != null) {
      settings.setString("execution.state-recovery.path", command.fromCheckpoint);
    }
    if (command.local) {
      // Also the limit of a savepoint that the process waits for; Flink's default is ten seconds.
      settings.setString("pekko.ask.timeout", LocalJob.STOP_SECONDS + " s");
    }
    command.flink.forEach(settings::setString);
    for (String directory : DIRECTORIES) {
      String path = settings.getString(directory, "");
      if (!path.isEmpty() && !SCHEME.matcher(path).lookingAt()) {
        settings.setString(directory, "file://" + Path.of(path).toAbsolutePath().normalize());
      }
    }
    return settings;
  }
}
