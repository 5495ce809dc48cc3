package io.tsdbsuite.ingest.consume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.ingest.publish.MessageHeaders;
import io.tsdbsuite.ingest.store.ElementSink;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Times and numbers that other programs can write. */
class QueuedMessageTest {
  private static final long READ = 1_700_000_000_000L;
  private static final long YEAR = 365 * 86_400_000L;

  private static QueuedMessage with(String header, String value) {
    ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t", 0, 0, null, new byte[0]);
    record.headers().add(header, value.getBytes(UTF_8));
    return new QueuedMessage(record, new PartitionProgress(new TopicPartition("t", 0), 0), 0, READ);
  }

  private static long requestedAt(long millis) {
    return with(MessageHeaders.REQUESTED_AT, Long.toString(millis)).requestedAt();
  }

  private static long firstReadAt(String value) {
    return with(MessageHeaders.FIRST_READ_AT, value).firstReadAt();
  }

  /**
   * A request of the future would have buckets written that have not ended. A TSD's clock that is
   * minutes behind must not make a request older: its bucket would count as not ended.
   */
  @Test
  void noRequestIsNewerThanItsReading() {
    assertThat(requestedAt(READ + 300_000)).isEqualTo(READ + 300_000);
    assertThat(requestedAt(READ + 300_001)).isEqualTo(READ);
    assertThat(requestedAt(READ - YEAR)).isEqualTo(READ - YEAR);
    assertThat(requestedAt(READ + YEAR)).isEqualTo(READ);
    assertThat(requestedAt(-1)).isEqualTo(READ);
    assertThat(requestedAt(READ / 1000)).describedAs("seconds").isEqualTo(READ);
    assertThat(with("other", "1").requestedAt()).describedAs("no time at all").isEqualTo(READ);
  }

  /** The timestamp of cells: one of the future would hide every newer value. */
  @Test
  void noMessageWasFirstReadLaterThanNow() {
    assertThat(firstReadAt(Long.toString(READ - 1))).isEqualTo(READ - 1);
    assertThat(firstReadAt(Long.toString(READ + YEAR))).isEqualTo(READ);
    assertThat(firstReadAt("-5")).isEqualTo(READ);
    assertThat(firstReadAt("yesterday")).isEqualTo(ElementSink.NOW);
    assertThat(with("other", "1").firstReadAt()).isEqualTo(ElementSink.NOW);
  }

  @Test
  void attemptsAreWithinTheirBounds() {
    assertThat(with(MessageHeaders.ATTEMPT, "3").attempts()).isEqualTo(3);
    assertThat(with(MessageHeaders.ATTEMPT, "-2147483648").attempts()).isZero();
    assertThat(with(MessageHeaders.ATTEMPT, "4294967296").attempts())
        .isEqualTo(Integer.MAX_VALUE - 1);
    assertThat(with("other", "1").attempts()).isZero();
  }
}
