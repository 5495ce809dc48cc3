package io.tsdbsuite.query;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.query.plan.RollupTables;
import java.time.Instant;
import java.util.Map;
import net.opentsdb.stats.StatsCollector;

/** Which packed tables are read, and until when: for people, and as statistics. */
final class PackedState {
  private final RollupTables tables;

  /** Why tables do not answer, by their names. */
  private final Map<String, String> silent;

  PackedState(RollupTables tables, Map<String, String> silent) {
    this.tables = tables;
    this.silent = silent;
  }

  /** A line for each packed table: until when its rows are proven, or why they are not read. */
  String text(Coverage coverage) {
    StringBuilder text = new StringBuilder();
    for (RollupInterval interval : tables.intervals()) {
      String level = tables.packed(interval);
      String table = level == null ? null : tables.table(level);
      if (level == null || table == null) {
        continue;
      }
      text.append("Packed rows of ").append(interval.interval()).append(" in ").append(table);
      long end = coverage.end(level);
      if (end > 0) {
        text.append(": the last window ends at ").append(Instant.ofEpochSecond(end));
      } else {
        text.append(" are not read: ").append(problem(coverage, table));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private String problem(Coverage coverage, String table) {
    String why = silent.get(table);
    if (why != null) {
      return "the table does not answer: " + why;
    }
    String problem = coverage.voidTables().get(CoverageRows.tableName(table));
    return problem == null ? "no window" : problem;
  }

  /**
   * Reports how far packed rows are behind the rollups of which they are copies: these times are
   * read from plain rows.
   *
   * @param prefix of the names
   */
  void collectStats(Coverage coverage, StatsCollector collector, String prefix) {
    for (RollupInterval interval : tables.intervals()) {
      String level = tables.packed(interval);
      if (level != null) {
        long lag = Math.max(0, coverage.end(interval.interval()) - coverage.end(level));
        collector.record(prefix + "packed.lag_seconds", lag, "interval=" + interval.interval());
      }
    }
  }
}
