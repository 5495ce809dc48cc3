package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Count;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Which lines of an InfluxDB export are loaded: {@code --influx-database}, {@code
 * --influx-retention-policy}.
 *
 * @param database empty for any
 * @param retentionPolicy empty for any
 */
public record InfluxChoice(String database, String retentionPolicy) implements Serializable {
  /** Any lines, as long as all are of one database and retention policy. */
  public static final InfluxChoice NONE = new InfluxChoice("", "");

  /** Whether all lines are loaded. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** The count that lines of a context add to; null if they are loaded. */
  @Nullable Count skipped(InfluxContext context) {
    if (!database.isEmpty() && !database.equals(context.database())) {
      return Count.LINES_OF_OTHER_DATABASE;
    }
    boolean otherPolicy =
        !retentionPolicy.isEmpty() && !retentionPolicy.equals(context.retentionPolicy());
    return otherPolicy ? Count.LINES_OF_OTHER_RETENTION_POLICY : null;
  }

  /** As the options are written. */
  @Override
  public String toString() {
    String first = database.isEmpty() ? "" : "--influx-database=" + database;
    String second = retentionPolicy.isEmpty() ? "" : "--influx-retention-policy=" + retentionPolicy;
    return (first + " " + second).trim();
  }
}
