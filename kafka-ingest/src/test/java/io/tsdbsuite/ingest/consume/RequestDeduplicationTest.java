package io.tsdbsuite.ingest.consume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.store.CellIds;
import io.tsdbsuite.ingest.store.ElementSink;
import io.tsdbsuite.ingest.store.RowBatch;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.RollupRequestElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class RequestDeduplicationTest {
  private static final long DAY = 1763510400L;

  /** Milliseconds; all buckets of the day, and of the next one, had ended. */
  private static final long REQUESTED = (DAY + 2 * 86400) * 1000;

  /** Knows the buckets of more than one row; stores nothing. */
  private static final ElementSink SINK =
      new ElementSink() {
        @Override
        public Deferred<Object> store(Element element, long cellTimestamp, RowBatch batch) {
          throw new AssertionError("nothing is stored here");
        }

        @Override
        public long bucketHours(String interval) {
          return interval.equals("1d") ? 24 : interval.equals("6h") ? 6 : 1;
        }

        @Override
        public CellIds cells(List<Element> elements) {
          throw new AssertionError("nothing is stored here");
        }

        @Override
        public RowBatch newBatch() {
          throw new AssertionError("nothing is stored here");
        }

        @Override
        public void flush() {}

        @Override
        public void flushIfAnswered() {}
      };

  private final PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);
  private final List<WriteLoop.Parsed> messages = new ArrayList<>();

  private void add(long requestedAt, String json) throws BadMessageException {
    byte[] value = json.getBytes(UTF_8);
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(
            "t",
            0,
            messages.size(),
            REQUESTED + requestedAt,
            TimestampType.CREATE_TIME,
            0,
            value.length,
            null,
            value,
            new RecordHeaders(),
            Optional.empty());
    messages.add(
        new WriteLoop.Parsed(
            new QueuedMessage(record, progress, progress.add(messages.size()), Long.MAX_VALUE),
            new MessageReader().read(value),
            null));
  }

  private static String request(String host, long hour, String intervals, String reason) {
    return "{\"type\":\"RollupRequest\",\"v\":1,\"metric\":\"m\",\"tags\":{\"host\":\""
        + host
        + "\"},\"timestamp\":"
        + (DAY + hour * 3600)
        + ",\"intervals\":["
        + intervals
        + "],\"reason\":\""
        + reason
        + "\"}";
  }

  /** The intervals that each message still asks for; "covered" for none. */
  private List<String> remaining() {
    RequestDeduplication.apply(messages, SINK);
    List<String> remaining = new ArrayList<>();
    for (WriteLoop.Parsed each : messages) {
      List<String> intervals = new ArrayList<>();
      for (Element element : each.elements) {
        intervals.addAll(((RollupRequestElement) element).intervals());
      }
      remaining.add(each.covered ? "covered" : String.join(",", intervals));
    }
    return remaining;
  }

  @Test
  void theLatestOfEqualRequestsStays() throws Exception {
    add(2, request("a", 5, "\"10m\",\"1h\"", "late"));
    add(3, request("a", 5, "\"1h\",\"10m\"", "duplicate"));
    add(1, request("a", 5, "\"10m\",\"1h\"", "late"));
    assertThat(remaining()).containsExactly("covered", "1h,10m", "covered");
  }

  @Test
  void theLastOneStaysOfRequestsOfOneTime() throws Exception {
    add(1, request("a", 5, "\"1h\"", "late"));
    add(1, request("a", 5, "\"1h\"", "late"));
    assertThat(remaining()).containsExactly("covered", "1h");
  }

  @Test
  void otherSeriesHoursAndIntervalsStay() throws Exception {
    add(1, request("a", 5, "\"1h\"", "late"));
    add(1, request("b", 5, "\"1h\"", "late"));
    add(1, request("a", 6, "\"1h\"", "late"));
    // It may be refused for its day.
    add(1, request("a", 5, "\"1h\",\"1d\"", "late"));
    assertThat(remaining()).containsExactly("1h", "1h", "1h", "1h,1d");
  }

  @Test
  void aDayIsReadForItsLatestRequest() throws Exception {
    add(1, request("a", 5, "\"10m\",\"1d\"", "late"));
    add(3, request("a", 0, "\"10m\",\"1d\"", "late"));
    add(2, request("a", 23, "\"10m\",\"1d\"", "late"));
    add(4, request("a", 24, "\"10m\",\"1d\"", "late"));
    add(1, request("b", 5, "\"1d\"", "late"));
    add(2, request("b", 6, "\"1d\"", "late"));
    assertThat(remaining()).containsExactly("10m", "10m,1d", "10m", "10m,1d", "covered", "1d");
  }

  @Test
  void everyBucketIsReadForItsLatestRequest() throws Exception {
    add(1, request("a", 5, "\"10m\",\"6h\",\"1d\"", "late"));
    add(4, request("a", 0, "\"10m\",\"6h\",\"1d\"", "late"));
    add(2, request("a", 6, "\"10m\",\"6h\",\"1d\"", "late"));
    add(3, request("a", 11, "\"10m\",\"6h\",\"1d\"", "late"));
    add(5, request("a", 24, "\"10m\",\"6h\",\"1d\"", "late"));
    add(1, request("b", 5, "\"6h\",\"1d\"", "late"));
    add(3, request("b", 4, "\"6h\",\"1d\"", "late"));
    add(2, request("b", 6, "\"6h\",\"1d\"", "late"));
    assertThat(remaining())
        .containsExactly(
            "10m", "10m,6h,1d", "10m", "10m,6h", "10m,6h,1d", "covered", "6h,1d", "6h");
  }

  /** They are not read; a request without them removes no masks of the hour. */
  @Test
  void bucketsThatHadNotEndedStay() throws Exception {
    long afterFiveHours = (DAY + 5 * 3600) * 1000 - REQUESTED;
    add(afterFiveHours, request("a", 3, "\"1h\",\"6h\",\"1d\"", "late"));
    add(afterFiveHours + 1, request("a", 4, "\"1h\",\"6h\",\"1d\"", "late"));
    long afterSixHours = (DAY + 6 * 3600) * 1000 - REQUESTED;
    add(afterSixHours, request("b", 3, "\"1h\",\"6h\",\"1d\"", "late"));
    add(afterSixHours + 1, request("b", 4, "\"1h\",\"6h\",\"1d\"", "late"));
    assertThat(remaining()).containsExactly("1h,6h,1d", "1h,6h,1d", "1h,1d", "1h,6h,1d");
  }

  @Test
  void arraysAreLeftAsTheyAre() throws Exception {
    String request = request("a", 5, "\"1h\"", "late");
    add(1, "[" + request + "," + request + "]");
    add(2, request);
    assertThat(remaining()).containsExactly("1h,1h", "1h");
  }
}
