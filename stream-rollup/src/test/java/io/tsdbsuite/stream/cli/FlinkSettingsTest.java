package io.tsdbsuite.stream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.storage.FileSystemCheckpointStorage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlinkSettingsTest {
  private final StreamCommand command = new StreamCommand();

  /** Flink's own check refuses a path without a scheme. */
  @ParameterizedTest
  @CsvSource({
    "/var/lib/stream, file:///var/lib/stream",
    "/var/lib/a b/../c, file:///var/lib/c",
    "state/stream, file://DIRECTORY/state/stream",
    "file:///shared/stream, file:///shared/stream",
    "hdfs://namenode/stream, hdfs://namenode/stream",
    "s3://bucket/stream, s3://bucket/stream"
  })
  void aPlainPathIsADirectoryOfThisMachine(String given, String expected) {
    String directory = Path.of("").toAbsolutePath().toString();
    command.checkpointDir = given;
    command.fromCheckpoint = given;
    Configuration settings = FlinkSettings.of(command);
    for (String key :
        new String[] {
          "execution.checkpointing.dir",
          "execution.checkpointing.savepoint-dir",
          "execution.state-recovery.path"
        }) {
      String found = settings.getString(key, "");
      assertThat(found).isEqualTo(expected.replace("DIRECTORY", directory));
      assertThat(new FileSystemCheckpointStorage(found).getCheckpointPath())
          .hasToString(found.replace("file:///", "file:/"));
    }
  }

  @ParameterizedTest
  @CsvSource("execution.checkpointing.dir")
  void aSettingOfFlinkIsTheSame(String key) {
    command.flink.put(key, "/elsewhere");
    assertThat(FlinkSettings.of(command).getString(key, "")).isEqualTo("file:///elsewhere");
  }
}
