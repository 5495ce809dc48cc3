package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.quickstart.data.FleetData;
import io.tsdbsuite.quickstart.data.HistoryFiles;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.data.SeriesUids;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Fills the TSD's tables with the past. The TSD writes a fleet of series. bulk-loader loads a year
 * of {@link RequestRate}.
 */
record DataSetup(Environment run) {
  private static final int HOUR = 3600;

  /** Writes the fleet through the TSD. */
  void write(FleetData fleet) {
    run.step(
        "the TSD writes %,d points of %d series, one a minute, as single cells",
        fleet.points(), FleetData.series());
    // One thread for each metric keeps the TSD busy while the next request is prepared.
    FleetData.METRICS.parallelStream()
        .forEach(
            metric -> {
              for (long hour = fleet.from(); hour < fleet.to(); hour += HOUR) {
                run.client().put(fleet.hour(metric, hour), HOUR);
              }
            });
  }

  /**
   * Loads the history with bulk-loader.
   *
   * @param schema the TSD's schema
   * @param loader bulk-loader
   * @param history directory of the history's files
   * @return the UIDs of the series; empty if bulk-loader failed
   * @throws IOException when the disk fails
   */
  Optional<SeriesUids> write(StorageSchema schema, BulkLoaderRun loader, Path history)
      throws IOException {
    RequestRate rate = run.rate();
    Timeline window = run.window();
    double begin = run.console().seconds();
    long points = HistoryFiles.write(rate, history, window.from(), window.streamFrom());
    run.step(
        "%,d points of %s, %d series at %d s, exported as text in %.1f s: %s",
        points,
        RequestRate.METRIC,
        rate.series(),
        RequestRate.STEP_SECONDS,
        run.console().seconds() - begin,
        history);
    long last = window.streamFrom() - HOUR;
    return loader.load() && loader.verify(last)
        ? Optional.of(SeriesUids.of(run.client(), last, rate, schema))
        : Optional.empty();
  }
}
