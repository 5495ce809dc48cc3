package io.tsdbsuite.ingest.mask;

import com.google.common.base.Ticker;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** A coverage table that answers with floors when it is told to. */
public final class TestFloors extends MaskTable {
  private final Floors floors;

  /** The readings that have begun, oldest first. */
  final List<Deferred<Coverage>> readings = new ArrayList<>();

  /** Makes a table of which nothing was read yet. */
  public TestFloors(Clock clock, Ticker ticker) {
    super(null, "a-table");
    this.floors = new Floors(this, clock, ticker);
  }

  /** Floors that were read: one for the raw data of these metrics. */
  public static Floors of(long before, String metrics, Clock clock, Ticker ticker) {
    TestFloors table = new TestFloors(clock, ticker);
    table.read(before, metrics);
    return table.floors();
  }

  /** No floors at all. */
  public static Floors none() {
    return new Floors(null, Clock.systemUTC(), Ticker.systemTicker());
  }

  /** What reads the table. */
  public Floors floors() {
    return floors;
  }

  /** Reads a floor of raw data, if a reading is due. */
  public void read(long before, String metrics) {
    floors.turn();
    answer(before, metrics);
  }

  void answer(long before, String metrics) {
    readings.get(readings.size() - 1).callback(coverage(before, metrics));
  }

  static Coverage coverage(long before, String metrics) {
    return Coverage.nothing(
        "",
        List.of(
            new CoverageFloor("1h", "all", before + 2 * 86_400, "*", "test", before * 1000),
            new CoverageFloor(CoverageFloor.RAW, "w", before, metrics, "test", before * 1000)));
  }

  @Override
  Deferred<Coverage> floors(long now) {
    Deferred<Coverage> reading = new Deferred<>();
    readings.add(reading);
    return reading;
  }
}
