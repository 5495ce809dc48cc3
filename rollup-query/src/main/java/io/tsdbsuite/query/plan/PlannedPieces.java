package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.QueryPlan;
import java.util.Collections;
import java.util.List;
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

  /** For a person: {@code raw (none)}, or {@code 1h [from, to), raw [from, to)}, milliseconds. */
  @Override
  public String toString() {
    if (function == null) {
      return "raw (" + reason + ")";
    }
    StringBuilder text = new StringBuilder();
    for (QueryPlan.Piece piece : pieces) {
      text.append(text.length() == 0 ? "" : ", ").append(piece);
    }
    return text.toString();
  }
}
