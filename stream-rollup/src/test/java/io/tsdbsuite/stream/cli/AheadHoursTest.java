package io.tsdbsuite.stream.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AheadHoursTest {
  /** 19 November 2025, 10:20 UTC, and the hours around it. */
  private static final long SINCE = 1763510400 + 10 * 3600 + 1200;

  private static final long NOW = SINCE - 1200;
  private static final long HOUR = 3600;

  /** 2036. */
  private static final long FAR = 2082758400;

  private final AheadHours hours = new AheadHours(SINCE, 10);

  private void add(String host, long hour) {
    hours.add(
        String.format(
                Locale.ROOT,
                "{\"type\":\"RollupRequest\",\"v\":1,\"metric\":\"m\",\"tags\":{\"host\":\"%s\"},"
                    + "\"timestamp\":%d,\"intervals\":[\"1h\"],\"reason\":\"ahead\"}",
                host,
                hour)
            .getBytes(UTF_8));
  }

  private List<Long> kept() {
    return hours.hours().values().stream().flatMap(List::stream).sorted().toList();
  }

  /**
   * Clocks that are three minutes ahead tell each hour of each series. The day in which the job
   * starts is left to repair anyway.
   */
  @Test
  void hoursThatHaveEndedAreNotKept() {
    LongStream.range(0, 1000).forEach(i -> add("h", NOW - i * HOUR - HOUR));
    assertThat(kept()).isEmpty();
    add("h", NOW);
    add("h", NOW);
    add("h", NOW + HOUR);
    assertThat(kept()).containsExactly(NOW, NOW + HOUR);
    assertThat(hours.completeFrom()).isZero();
    assertThat(hours.dropped()).isZero();
  }

  /** One clock of a few is wrong by years; those of all others by minutes. */
  @Test
  void ofTooManyTheNearestAreLeftToRepairForAll() {
    add("far", FAR);
    for (int i = 0; i < 100; i++) {
      add("h" + i, NOW);
      add("h" + i % 3, NOW + HOUR);
    }
    assertThat(hours.completeFrom()).isEqualTo(NOW + HOUR);
    assertThat(kept()).containsExactly(NOW + HOUR, NOW + HOUR, NOW + HOUR, FAR);
    assertThat(hours.dropped()).isZero();
  }

  /** Else nothing would be emitted for years. */
  @Test
  void ofTooManyYearsAheadTheFarthestAreDropped() {
    add("near", NOW + HOUR);
    for (int i = 0; i < 12; i++) {
      add("far", FAR + i * HOUR);
    }
    // Told again.
    add("far", FAR + 11 * HOUR);
    assertThat(kept()).hasSize(10).startsWith(NOW + HOUR, FAR).doesNotContain(FAR + 9 * HOUR);
    assertThat(hours.completeFrom()).isZero();
    assertThat(hours.dropped()).isEqualTo(4);
    assertThat(hours.droppedFrom()).isEqualTo(FAR + 9 * HOUR);
  }

  @Test
  void otherMessagesAreLeftOut() {
    hours.add(null);
    hours.add("\"ahead\"".getBytes(UTF_8));
    hours.add("{\"reason\":\"ahead\"}".getBytes(UTF_8));
    assertThat(kept()).isEmpty();
  }
}
