package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.query.run.QueryAbortedException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a sub-query reads: pieces of several tables, or raw data alone and why; or nothing, because
 * raw data that it needs may be gone. Immutable.
 */
public final class PlannedPieces {
  private final List<QueryPlan.Piece> pieces;
  private final List<QueryPlan.Scan> scans;
  private final PlanSize size;
  private final @Nullable RollupFunction function;
  private final HeldProof proof;
  private final @Nullable RawReason reason;
  private final @Nullable QueryAbortedException refusal;
  private final @Nullable PlannedPieces plain;

  private PlannedPieces(
      List<QueryPlan.Piece> pieces,
      List<QueryPlan.Scan> scans,
      PlanSize size,
      @Nullable RollupFunction function,
      HeldProof proof,
      @Nullable RawReason reason,
      @Nullable QueryAbortedException refusal,
      @Nullable PlannedPieces plain) {
    this.plain = plain;
    this.pieces = Collections.unmodifiableList(pieces);
    this.scans = Collections.unmodifiableList(scans);
    this.size = size;
    this.function = function;
    this.proof = proof;
    this.reason = reason;
    this.refusal = refusal;
  }

  /**
   * Raw data alone.
   *
   * @param all the plan that reads them
   * @param refusal why they may not be read; null if they may
   */
  static PlannedPieces raw(
      RawReason reason,
      QueryPlan all,
      QueryTimes times,
      HeldProof proof,
      @Nullable QueryAbortedException refusal) {
    return new PlannedPieces(
        Collections.emptyList(),
        all.scans(),
        PlanSize.raw(times),
        null,
        proof,
        reason,
        refusal,
        null);
  }

  /** Pieces of which at least one is read from rollups. */
  static PlannedPieces of(QueryPlan plan, RollupFunction function, PlanSize size, HeldProof proof) {
    return new PlannedPieces(plan.pieces(), plan.scans(), size, function, proof, null, null, null);
  }

  /** The same pieces, of which some are read from packed tables. */
  PlannedPieces packed(QueryPlan plan, PlanSize packedSize, HeldProof packedProof) {
    return new PlannedPieces(
        plan.pieces(), plan.scans(), packedSize, function, packedProof, null, null, this);
  }

  /**
   * The same pieces without packed tables, proven from the last {@link #checkProof} on; null if no
   * packed tables are read.
   */
  public @Nullable PlannedPieces plain() {
    return plain == null
        ? null
        : new PlannedPieces(
            plain.pieces,
            plain.scans,
            plain.size,
            plain.function,
            proof.of(plain.pieces),
            null,
            null,
            null);
  }

  /** What is read of each series. */
  public PlanSize size() {
    return size;
  }

  /** The scans that read the pieces, for each salt bucket; one of raw data alone. */
  public List<QueryPlan.Scan> scans() {
    return scans;
  }

  /**
   * Whether what was read until now was there.
   *
   * @throws NoLongerProvenException if that is not certain
   */
  public void checkProof() {
    proof.check();
  }

  /** {@link ProvenTimes#rawFloor} at the last look. */
  public long rawFloor() {
    return proof.rawFloor();
  }

  /** Why nothing may be read; null if something may. */
  public @Nullable QueryAbortedException refusal() {
    return refusal;
  }

  /** The pieces in the order of time; empty: raw data alone. */
  public List<QueryPlan.Piece> pieces() {
    return pieces;
  }

  /** The function of the rollups; null: raw data alone. */
  public @Nullable RollupFunction function() {
    return function;
  }

  /** Why raw data alone is read; null if rollups are read. */
  public @Nullable RawReason reason() {
    return reason;
  }

  /**
   * For a person: {@code raw (not downsampled)}, or {@code 1d.packed:364 1h:20 raw:3600s}. Parts of
   * a second of raw data count as one.
   */
  @Override
  public String toString() {
    if (reason != null) {
      return refusal == null ? "raw (" + reason + ")" : "refused (" + reason + ")";
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
    if (raw > 0) {
      text.append("raw:").append((raw + 999) / 1000).append('s');
    }
    return text.toString().trim();
  }
}
