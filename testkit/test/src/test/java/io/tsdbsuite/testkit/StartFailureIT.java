package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server that cannot start says why, and leaves no process behind. */
class StartFailureIT {
  @Test
  void aWrongKafkaConfigurationIsNamed() {
    assertThatThrownBy(
            () ->
                Stack.in(WorkDirs.fresh("StartFailureIT-kafka"))
                    .s3()
                    .kafka(Map.of("process.roles", "nonsense"))
                    .start())
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("kafka ended with exit code 1 while it started")
        .hasMessageContaining("nonsense");
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  @Test
  void aWrongTsdConfigurationIsNamed() {
    assertThatThrownBy(
            () ->
                TsdServer.start(
                    WorkDirs.fresh("StartFailureIT-tsd"),
                    "tsd",
                    "localhost:1",
                    Map.of("tsd.storage.salt.width", "9"),
                    List.of()))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("tsd ended with exit code 1")
        .hasMessageContaining("Salt width must be");
    assertThat(ProcessHandle.current().children()).isEmpty();
  }
}
