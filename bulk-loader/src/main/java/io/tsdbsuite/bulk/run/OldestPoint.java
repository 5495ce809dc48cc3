package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.error.LoadException;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.row.Rows;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.table.TableFacts;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;

/**
 * Whether a table with a TTL would let cells expire at once that are stamped with the time of their
 * points. Only then does the oldest point matter, and the rows are read once more to find it.
 */
final class OldestPoint {
  private static final byte[] ALL = {};

  private OldestPoint() {}

  /**
   * @throws LoadException usage, when it would
   */
  static void check(Session session, Rows rows) throws IOException {
    TableFacts table = session.table();
    if (!session.stamps().areDataTime() || table.ttlSeconds() == HConstants.FOREVER) {
      return;
    }
    long oldest = Long.MAX_VALUE;
    try (RowSource source = rows.open(ALL, ALL)) {
      for (EncodedRow row = source.next(); row != null; row = source.next()) {
        oldest = Math.min(oldest, row.newestMillis());
      }
    }
    List<String> problems =
        table.problems(
            session.stamps(),
            oldest,
            session.clock().millis(),
            session.settings().write().mode() == Mode.HFILE);
    if (!problems.isEmpty()) {
      throw LoadException.usage(problems);
    }
  }
}
