package io.tsdbsuite.rollup.load;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.hfile.Manifest;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the windows of a run to Kafka to the coverage, when its rollups are in the tables: it looks
 * until they are all there.
 *
 * @param run the run
 * @param choice where its windows are written
 * @param schema of the TSDs
 * @param rollups of the TSDs
 * @param codecs of the TSDs' histograms
 * @param clock for what has expired
 */
public record SentCoverage(
    SentRun run,
    CoverageChoice choice,
    StorageSchema schema,
    RollupConfig rollups,
    HistogramCodecs codecs,
    Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(SentCoverage.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);

  /**
   * What would be added if all rollups are there.
   *
   * @throws IOException when HBase fails
   * @throws JobException usage, when a packed table cannot have packed rows
   */
  public CoverageOutcome planned(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return coverage(connection, admin).planned();
    }
  }

  /**
   * Looks for the rollups, and adds the windows.
   *
   * @param patience how long TSDs may take to store what is missing
   * @return what was added, or why nothing was; incomplete, when rollups are still missing after
   *     that time
   * @throws IOException when HBase fails
   */
  public CoverageOutcome add(Connection connection, Duration patience) throws IOException {
    long end = System.nanoTime() + patience.toNanos();
    Duration pause = FIRST_PAUSE;
    try (Admin admin = connection.getAdmin()) {
      LoadedCoverage coverage = coverage(connection, admin);
      coverage.removeOutdated();
      CoverageOutcome outcome = coverage.write(clock);
      String first = outcome.reason();
      while (run.isIncomplete()) {
        if (System.nanoTime() + pause.toNanos() > end) {
          boolean came = !outcome.reason().equals(first);
          return new CoverageOutcome(
              choice.table(),
              List.of(),
              "%s within %s s%s"
                  .formatted(
                      outcome.reason(),
                      patience.toSeconds(),
                      came
                          ? "; kafka-ingest lags behind"
                          : "; if kafka-ingest has no lag, they are in its dead letters, or a"
                              + " tsd.timeseriesfilter drops them"),
              true,
              List.of());
        }
        LOG.info("{}; looking again in {} s", outcome.reason(), pause.toSeconds());
        Thread.sleep(pause.toMillis());
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
        outcome = coverage.write(clock);
      }
      return outcome;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside("interrupted before all rollups were there", e);
    }
  }

  private LoadedCoverage coverage(Connection connection, Admin admin) throws IOException {
    List<String> problems =
        new ArrayList<>(LoadCheck.packed(run.manifest(), rollups, schema, choice.table()));
    for (Manifest.Table table : run.manifest().tables()) {
      if (table.isPacked()) {
        TableName name = TableName.valueOf(table.name());
        Optional<String> missing = LoadCheck.missing(admin, name);
        if (missing.isEmpty()) {
          missing = LoadCheck.family(admin.getDescriptor(name));
        }
        missing.ifPresent(problems::add);
      }
    }
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
    return new LoadedCoverage(
        connection, admin, choice, run, schema, rollups, codecs, clock.instant());
  }
}
