package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.RollupRequestElement;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepairPlanTest {
  /** The second hour of a day. */
  private static final long HOUR = 1763514000L;

  private static final long DAY = HOUR - 3600;

  private static RollupSchema schema() {
    StringBuilder intervals = new StringBuilder();
    for (String interval : List.of("1m:1h", "10m:1d", "1h:1d", "2h:1d", "1d:1n")) {
      String[] parts = interval.split(":", -1);
      intervals
          .append(intervals.length() == 0 ? "" : ",")
          .append("{'table':'t-")
          .append(parts[0])
          .append("','preAggregationTable':'p-")
          .append(parts[0])
          .append("','interval':'")
          .append(parts[0])
          .append("','rowSpan':'")
          .append(parts[1])
          .append(parts[0].equals("1m") ? "','defaultInterval':true}" : "'}");
    }
    String json =
        "{'aggregationIds':{'sum':0,'count':2,'min':3,'max':4},'intervals':[" + intervals + "]}";
    return new RollupSchema(RollupConfig.parse(json.replace('\'', '"')), true);
  }

  private static RepairPlan plan(String intervals, long requestedAt) throws BadMessageException {
    String json =
        "{'type':'RollupRequest','v':1,'metric':'m','tags':{'a':'b'},'timestamp':"
            + HOUR
            + ",'reason':'late','intervals':["
            + intervals
            + "]}";
    byte[] message = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    RollupRequestElement request = (RollupRequestElement) new MessageReader().read(message).get(0);
    return new RepairPlan(request, schema(), requestedAt);
  }

  @ParameterizedTest
  @CsvSource({
    // Milliseconds after the start of the hour, buckets of 10m, of 1h, of 1d, rows.
    "-1000, 0, 0, 0, 1",
    "0, 0, 0, 0, 1",
    "599999, 0, 0, 0, 1",
    "600000, 1, 0, 0, 1",
    "1500000, 2, 0, 0, 1",
    "3599999, 5, 0, 0, 1",
    "3600000, 6, 1, 0, 1",
    "82799999, 6, 1, 0, 1",
    "82800000, 6, 1, 1, 24",
    "900000000, 6, 1, 1, 24"
  })
  void onlyBucketsThatHadEndedAreWritten(long millis, int tens, int hours, int days, int rows)
      throws BadMessageException {
    RepairPlan plan = plan("'10m','1h','1d'", HOUR * 1000 + millis);
    int[] ended = new int[2];
    for (RollupTarget target : plan.ofHour()) {
      ended[target.name().equals("10m") ? 0 : 1] = plan.ended(target);
    }
    assertThat(ended).containsExactly(tens, hours);
    assertThat(plan.ofDay() == null).isEqualTo(days == 0);
    assertThat(plan.isEmpty()).isEqualTo(tens + hours + days == 0);
    assertThat(plan.hours()).isEqualTo(rows);
    assertThat(plan.firstRow()).isEqualTo(days == 0 ? HOUR : DAY);
    assertThat(plan.day()).isEqualTo(DAY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2h", "5m", "1m"})
  void otherIntervalsAreRefused(String interval) {
    BadMessageException e =
        catchThrowableOfType(
            BadMessageException.class, () -> plan("'1h','" + interval + "'", Long.MAX_VALUE));
    assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_INTERVAL);
    assertThat(e).hasMessageContaining("found " + interval);
  }

  @Test
  void aRowIsWholeUntilADayBeforeItsTtl() {
    long day = 86_400;
    RawTtl ttl = new RawTtl(10 * day);
    long whole = HOUR + 9 * day;
    assertThatCode(() -> ttl.require(HOUR, whole * 1000)).doesNotThrowAnyException();
    BadMessageException e =
        catchThrowableOfType(
            BadMessageException.class, () -> ttl.require(HOUR, (whole + 1) * 1000));
    assertThat(e.reason()).isEqualTo(Reason.EXPIRED);
    assertThat(e).hasMessageContaining("found " + HOUR);
    assertThatCode(() -> new RawTtl(RawTtl.FOREVER).require(0, Long.MAX_VALUE))
        .doesNotThrowAnyException();
  }
}
