package io.tsdbsuite.stream.cli;

import io.tsdbsuite.stream.cli.StreamCommand.StateBackend;
import org.apache.flink.configuration.Configuration;

/**
 * Flink's configuration for the options. The keys are those of Flink 1.20, which Flink 2 has too.
 */
final class FlinkSettings {
  private FlinkSettings() {}

  /**
   * Translates the options.
   *
   * @param checkpointSeconds time between two checkpoints
   */
  static Configuration of(StreamCommand command, int checkpointSeconds) {
    Configuration settings = new Configuration();
    settings.setString("execution.checkpointing.interval", checkpointSeconds + " s");
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
    return settings;
  }
}
