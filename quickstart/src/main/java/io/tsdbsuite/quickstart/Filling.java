package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.quickstart.data.FleetData;
import io.tsdbsuite.quickstart.data.HistoryFiles;
import io.tsdbsuite.quickstart.data.LiveWriter;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.data.SeriesUids;
import io.tsdbsuite.testkit.TsdClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Fills the TSD's tables: a fleet of series by the TSD alone; a month of {@link RequestRate} by
 * bulk-loader, and its last hours by the TSD, under the UIDs that the loader has assigned.
 */
final class Filling {
  private final TsdClient tsd;
  private final Window window;
  private final Console console;

  /**
   * @param tsd writes what it writes itself
   * @param window what is history
   * @param console says what is done
   */
  Filling(TsdClient tsd, Window window, Console console) {
    this.tsd = tsd;
    this.window = window;
    this.console = console;
  }

  /** Has the TSD write the fleet. */
  void write(FleetData fleet) {
    console.step(
        "the TSD writes %,d points of %d series, one a minute, as single cells",
        fleet.points(), FleetData.series());
    // One thread for each metric keeps the TSD busy while the next request is made.
    FleetData.METRICS.parallelStream()
        .forEach(
            metric -> {
              for (long hour = fleet.from(); hour < fleet.to(); hour += 3600) {
                tsd.put(fleet.hour(metric, hour), 3600);
              }
            });
  }

  /**
   * Has the loader write the history, and then the TSD the last hours.
   *
   * @param rate the points
   * @param schema of the TSD
   * @param loader bulk-loader
   * @param directory for the history's files, and for the loader
   * @return the series; nothing when the loader failed
   * @throws IOException when the disk fails
   */
  Optional<SeriesUids> write(RequestRate rate, StorageSchema schema, LoadRun loader, Path directory)
      throws IOException {
    Path history = directory.resolve("history");
    long points = HistoryFiles.write(rate, history, window.from(), window.liveFrom());
    console.step(
        "%,d points of %s, %d series at %d s, exported before as text: %s",
        points, RequestRate.METRIC, rate.series(), RequestRate.STEP_SECONDS, history);
    if (!loader.load(history, directory)) {
      return Optional.empty();
    }
    long live = LiveWriter.write(tsd, rate, window.liveFrom(), window.now());
    console.step(
        "the TSD has written %,d points of %s, the last hours until now", live, RequestRate.METRIC);
    return Optional.of(SeriesUids.of(tsd, window.liveFrom(), rate, schema));
  }
}
