package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.quickstart.data.FleetData;
import io.tsdbsuite.quickstart.data.HistoryFiles;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.data.SeriesUids;
import io.tsdbsuite.testkit.TsdClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Fills the TSD's tables with the past. The TSD writes a fleet of series. bulk-loader loads a year
 * of {@link RequestRate}.
 */
final class DataSetup {
  private static final int HOUR = 3600;

  private final TsdClient tsd;
  private final Timeline window;
  private final Console console;

  /**
   * @param tsd the TSD
   * @param window the times of the run
   * @param console receives the progress
   */
  DataSetup(TsdClient tsd, Timeline window, Console console) {
    this.tsd = tsd;
    this.window = window;
    this.console = console;
  }

  /** Writes the fleet through the TSD. */
  void write(FleetData fleet) {
    console.step(
        "the TSD writes %,d points of %d series, one a minute, as single cells",
        fleet.points(), FleetData.series());
    // One thread for each metric keeps the TSD busy while the next request is prepared.
    FleetData.METRICS.parallelStream()
        .forEach(
            metric -> {
              for (long hour = fleet.from(); hour < fleet.to(); hour += HOUR) {
                tsd.put(fleet.hour(metric, hour), HOUR);
              }
            });
  }

  /**
   * Loads the history with bulk-loader.
   *
   * @param rate the points
   * @param schema the TSD's schema
   * @param loader bulk-loader
   * @param directory directory of the history's files, and of bulk-loader
   * @return the UIDs of the series; empty if bulk-loader failed
   * @throws IOException when the disk fails
   */
  Optional<SeriesUids> write(
      RequestRate rate, StorageSchema schema, BulkLoaderRun loader, Path directory)
      throws IOException {
    Path history = directory.resolve("history");
    double begin = console.seconds();
    long points = HistoryFiles.write(rate, history, window.from(), window.streamFrom());
    console.step(
        "%,d points of %s, %d series at %d s, exported as text in %.1f s: %s",
        points,
        RequestRate.METRIC,
        rate.series(),
        RequestRate.STEP_SECONDS,
        console.seconds() - begin,
        history);
    if (!loader.load(history, directory)
        || !loader.verify(history, directory, window.streamFrom() - HOUR)) {
      return Optional.empty();
    }
    return Optional.of(SeriesUids.of(tsd, window.streamFrom() - HOUR, rate, schema));
  }
}
