package io.tsdbsuite.planner.due;

import java.time.Duration;
import java.time.LocalDate;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Which days are rolled up.
 *
 * @param firstDay the first day, UTC
 * @param holdBack time between the end of a day and the snapshot that may be read for it, so that
 *     late points are in it
 * @param ttl TTL of the data table; empty if its data never expire
 * @param allowExpired whether a day is rolled up of which points have expired, but not all
 */
public record DueRule(
    LocalDate firstDay, Duration holdBack, Optional<Duration> ttl, boolean allowExpired) {
  /** Value of {@code --hold-back} if it is not given: rollup-job's own. */
  public static final String DEFAULT_HOLD_BACK = "1h";

  /** TTL of a family whose data never expire, seconds: HBase's own. */
  public static final int FOREVER = Integer.MAX_VALUE;

  /**
   * The TTL of a table: the least of its families; empty if the data of all never expire.
   *
   * @param families TTLs of the families, seconds
   */
  public static Optional<Duration> ttl(IntStream families) {
    int seconds = families.min().orElse(FOREVER);
    return seconds == FOREVER ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
  }
}
