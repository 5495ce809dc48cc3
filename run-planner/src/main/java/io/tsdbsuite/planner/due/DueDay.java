package io.tsdbsuite.planner.due;

import io.tsdbsuite.planner.night.NightSnapshots;
import java.time.LocalDate;
import java.util.Optional;

/**
 * A day without a report of success.
 *
 * @param day the day, UTC
 * @param state whether it can be rolled up
 * @param night the snapshots to read; empty unless the state is RUN
 * @param why the reason why it cannot be rolled up; empty when it can
 */
public record DueDay(LocalDate day, State state, Optional<NightSnapshots> night, String why) {
  /** Whether a day can be rolled up. */
  public enum State {
    /** A snapshot holds the whole day. */
    RUN,
    /** No snapshot was taken late enough; the next one will be. */
    WAITS,
    /** Every snapshot that was taken late enough has lost points of the day by the TTL, or all. */
    EXPIRED
  }
}
