package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.QueryPlan;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a sub-query reads: pieces of several tables, or raw data alone and why. Immutable. */
public final class PlannedPieces {
  private final List<QueryPlan.Piece> pieces;
  private final @Nullable RollupFunction function;
  private final String reason;

  private PlannedPieces(
      List<QueryPlan.Piece> pieces, @Nullable RollupFunction function, String reason) {
    this.pieces = pieces;
    this.function = function;
    this.reason = reason;
  }

  /** Raw data alone. */
  static PlannedPieces raw(String reason) {
    return new PlannedPieces(Collections.emptyList(), null, reason);
  }

  /** Pieces of which at least one is read from rollups. */
  static PlannedPieces of(List<QueryPlan.Piece> pieces, RollupFunction function) {
    return new PlannedPieces(Collections.unmodifiableList(pieces), function, "");
  }

  /** The pieces in the order of time; empty: raw data alone. */
  public List<QueryPlan.Piece> pieces() {
    return pieces;
  }

  /** The function of the rollups; null: raw data alone. */
  public @Nullable RollupFunction function() {
    return function;
  }

  /** Why raw data alone is read, a few words; empty if rollups are read. */
  public String reason() {
    return reason;
  }

  /** For a person: {@code raw (not downsampled)}, or {@code 1d:364 1h:20 raw:3600s}. */
  @Override
  public String toString() {
    if (function == null) {
      return "raw (" + reason + ")";
    }
    Map<String, Long> intervals = new LinkedHashMap<>();
    long raw = 0;
    for (QueryPlan.Piece piece : pieces) {
      QueryPlan.Table table = piece.table();
      long millis = piece.to() - piece.from();
      if (table == null) {
        raw += millis;
      } else {
        intervals.merge(table.interval(), millis / table.width(), Long::sum);
      }
    }
    StringBuilder text = new StringBuilder();
    intervals.forEach((name, number) -> text.append(name).append(':').append(number).append(' '));
    return text.append("raw:").append(raw / 1000).append('s').toString();
  }
}
