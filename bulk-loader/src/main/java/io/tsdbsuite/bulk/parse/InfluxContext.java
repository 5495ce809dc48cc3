package io.tsdbsuite.bulk.parse;

import java.io.Serializable;

/**
 * Where lines of an InfluxDB export come from, by its comments {@code # CONTEXT-DATABASE:} and
 * {@code # CONTEXT-RETENTION-POLICY:}.
 *
 * @param database empty if none is named
 * @param retentionPolicy empty if none is named
 */
public record InfluxContext(String database, String retentionPolicy) implements Serializable {
  /** Nothing is named. */
  static final InfluxContext NONE = new InfluxContext("", "");

  /** Whether anything is named. */
  boolean isNamed() {
    return !equals(NONE);
  }

  /** Both names, for messages: {@code telegraf/autogen}. */
  @Override
  public String toString() {
    return (database.isEmpty() ? "(no database)" : database)
        + (retentionPolicy.isEmpty() ? "" : "/" + retentionPolicy);
  }
}
