package io.tsdbsuite.rollup.tiers.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import java.time.Instant;

/**
 * What a proof is about, for reports and messages.
 *
 * @param match pattern of the entry
 * @param table {@code raw}, or an interval
 * @param day of the rows; of idle series the midnight from which on they have no write
 * @param series number of idle series; -1 of a day
 * @param sha256 of the proof
 */
public record ProvenName(String match, String table, Instant day, long series, String sha256) {
  static ProvenName of(Proof proof) {
    boolean isIdle = proof.ofIdleSeries();
    return new ProvenName(
        proof.policy().match(),
        proof.table(),
        isIdle ? proof.to() : proof.from(),
        isIdle ? proof.series().count() : -1,
        proof.sha256());
  }

  /** Whether it is about idle series. */
  public boolean isIdle() {
    return series >= 0;
  }

  /** The day, or the rows of idle series, without the match. */
  public String rows() {
    String date = day.toString().substring(0, 10);
    return !isIdle() ? date : "%s of %s series idle since %s".formatted(table, series, date);
  }

  void write(ObjectNode json) {
    json.put("match", match);
    String date = day.toString().substring(0, 10);
    if (!isIdle()) {
      json.put("day", date);
    } else {
      json.put("table", table).put("before", date).put("series", series);
    }
    json.put("proof", sha256);
  }

  @Override
  public String toString() {
    return match + ", " + rows();
  }
}
