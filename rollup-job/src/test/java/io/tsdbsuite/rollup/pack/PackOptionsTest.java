package io.tsdbsuite.rollup.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.input.Window;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PackOptionsTest {
  private static final long HOUR = 3600;
  private static final long DAY = 86_400;

  /** 2025-11-01T00:00:00Z. */
  private static final long NOVEMBER = 1_761_955_200;

  private static final long DECEMBER = NOVEMBER + 30 * DAY;

  private static PackOptions options(String interval, long from, long to) {
    RollupConfig config =
        RollupConfig.parse(
            """
            {"aggregationIds": {"sum":0, "count":1, "min":2, "max":3}, "intervals": [
               {"table":"t","preAggregationTable":"t","interval":"1m","rowSpan":"1h",
                "defaultInterval":true},
               {"table":"h","preAggregationTable":"h","interval":"1h","rowSpan":"1d"},
               {"table":"d","preAggregationTable":"d","interval":"1d","rowSpan":"1n"}],
             "suite": {"packed": {"1h":"x", "1d":"y"}}}
            """);
    return new PackOptions(
        StorageSchema.defaults(),
        config,
        Objects.requireNonNull(config.level(interval + ".packed")),
        new Window(from, to),
        "file:///root",
        "packed",
        "plain",
        "file:///hfiles",
        null,
        false);
  }

  @Test
  void timesOfRowsBelowAFloorAreLeftOut() {
    PackOptions hours = options("1h", NOVEMBER + 5 * HOUR, NOVEMBER + 3 * DAY);
    for (long floor : new long[] {0, NOVEMBER - DAY, NOVEMBER}) {
      assertThat(hours.above(floor)).isSameAs(hours);
    }
    long second = NOVEMBER + DAY;
    assertThat(hours.above(second).window()).isEqualTo(new Window(second, NOVEMBER + 3 * DAY));
    PackOptions days = options("1d", NOVEMBER, DECEMBER + 5 * DAY);
    assertThat(days.above(DECEMBER).window()).isEqualTo(new Window(DECEMBER, DECEMBER + 5 * DAY));
  }

  @Test
  void aWindowBelowAFloorIsRefused() {
    PackOptions hours = options("1h", NOVEMBER, NOVEMBER + DAY);
    assertThatThrownBy(() -> hours.above(NOVEMBER + DAY))
        .isInstanceOf(JobException.class)
        .hasMessageContaining(
            "--to must be after the floor of 1h, below which rows may be gone:"
                + " 2025-11-02T00:00:00Z, found 2025-11-02T00:00:00Z");
  }
}
