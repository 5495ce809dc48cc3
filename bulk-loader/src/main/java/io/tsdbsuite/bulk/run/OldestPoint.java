package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.row.Rows;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;

/**
 * Checks that cells stamped with the time of their points do not expire at once in a table with a
 * TTL. Only then the oldest point is needed, and the rows are read once more to find it.
 */
public final class OldestPoint {
  private static final byte[] ALL = {};

  private OldestPoint() {}

  /**
   * @throws JobException usage, when it would
   */
  static void check(Session session, Rows rows) throws IOException {
    TableFacts table = session.table();
    boolean hfiles = session.settings().write().mode() == Mode.HFILE;
    if (hfiles) {
      table.warnings().forEach(session.report()::warn);
    }
    if (!matters(table, session.stamps())) {
      return;
    }
    long oldest = Long.MAX_VALUE;
    try (RowSource source = rows.open(ALL, ALL)) {
      for (EncodedRow row = source.next(); row != null; row = source.next()) {
        oldest = Math.min(oldest, row.newestMillis());
      }
    }
    require(table, session.stamps(), oldest, session.clock().millis(), hfiles);
  }

  /** Whether the check needs the oldest point. */
  public static boolean matters(TableFacts table, CellTimestamps stamps) {
    return stamps.areDataTime() && table.ttlSeconds() != HConstants.FOREVER;
  }

  /**
   * Checks that nothing expires at once.
   *
   * @param oldestMillis newest point of the oldest row, milliseconds since the epoch
   * @param nowMillis the time, milliseconds since the epoch
   * @param hfiles whether HFiles are written
   * @throws JobException usage, when something would
   */
  public static void require(
      TableFacts table, CellTimestamps stamps, long oldestMillis, long nowMillis, boolean hfiles) {
    List<String> problems = table.problems(stamps, oldestMillis, nowMillis, hfiles);
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
  }
}
