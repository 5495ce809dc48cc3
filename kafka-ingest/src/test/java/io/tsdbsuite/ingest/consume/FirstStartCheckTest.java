package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.store.TestOtherWidths;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.junit.jupiter.api.Test;

@SuppressWarnings("deprecation") // MockConsumer's other constructor is not in all of its versions.
class FirstStartCheckTest {
  private static boolean mayStart(ConsumerType type) {
    IngestConfig config = TestGroups.config(type);
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>(OffsetResetStrategy.NONE);
    TestContexts.exists(consumer, "t", 0);
    return new FirstStartCheck(config.groups().get(0), TestOtherWidths.notScanned("rollup-1h"))
        .mayStart(consumer);
  }

  @Test
  void aGroupOfRollupsMayContinueWhereItsFormerReaderStopped() {
    assertThatThrownBy(() -> mayStart(ConsumerType.ROLLUP))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("rollup-1h could not be scanned")
        .hasMessageContaining(
            "fail queries. Set the group's offsets to where that one stopped, or auto.offset.reset"
                + " to latest or earliest; docs/kafka-ingest.md");
  }

  /** No other program reads requests. */
  @Test
  void aGroupOfRepairsHasNoFormerReader() {
    assertThatThrownBy(() -> mayStart(ConsumerType.REPAIR))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(
            "fail queries. Set auto.offset.reset to latest or earliest; docs/kafka-ingest.md");
  }

  @Test
  void pointsMayStart() {
    assertThat(mayStart(ConsumerType.RAW)).isTrue();
  }
}
