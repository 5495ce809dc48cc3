package io.tsdbsuite.query.page;

import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.query.estimate.SeriesEstimate;
import io.tsdbsuite.query.plan.PlanSize;
import io.tsdbsuite.query.plan.PlannedPieces;
import io.tsdbsuite.query.plan.RawReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How one sub-query would be read. Immutable. */
public final class SubPlan {
  private static final int MAX_PIECES = 200;

  private final String readBy;
  private final String summary;
  private final String reason;
  private final List<QueryPlan.Piece> pieces;
  private final @Nullable PlanSize size;
  private final @Nullable SeriesEstimate estimate;

  private SubPlan(
      String readBy,
      String summary,
      String reason,
      List<QueryPlan.Piece> pieces,
      @Nullable PlanSize size,
      @Nullable SeriesEstimate estimate) {
    this.readBy = readBy;
    this.summary = summary;
    this.reason = reason;
    this.pieces = pieces;
    this.size = size;
    this.estimate = estimate;
  }

  /** Read by OpenTSDB with its own choice of tables. */
  public static SubPlan stock(String reason) {
    return new SubPlan(
        "OpenTSDB", "OpenTSDB (" + reason + ")", reason, Collections.emptyList(), null, null);
  }

  /** Raw data alone. */
  public static SubPlan raw(String reason, PlanSize size) {
    return new SubPlan("raw", "raw (" + reason + ")", reason, Collections.emptyList(), size, null);
  }

  /** Not read: raw data that it needs may be gone. */
  public static SubPlan refused(String reason) {
    return new SubPlan(
        "refused", "refused (" + reason + ")", reason, Collections.emptyList(), null, null);
  }

  /**
   * What the planner says.
   *
   * @param size of the plan
   */
  public static SubPlan of(PlannedPieces plan, PlanSize size) {
    RawReason reason = plan.reason();
    return reason != null
        ? raw(reason.toString(), size)
        : new SubPlan("rollups", plan.toString(), "", plan.pieces(), size, null);
  }

  /** The same plan over series of which something is known. */
  public SubPlan estimated(SeriesEstimate series) {
    return new SubPlan(readBy, summary, reason, pieces, size, series);
  }

  /** The fields by their names, for JSON. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("readBy", readBy);
    fields.put("summary", summary);
    fields.put("reason", reason);
    if (size != null) {
      Map<String, Object> ofSeries = new LinkedHashMap<>();
      ofSeries.put("rollupCells", Math.round(size.rollupCells()));
      ofSeries.put("rawHours", Math.round(size.rawHours() * 100) / 100.0);
      fields.put("ofSeries", ofSeries);
      if (estimate != null) {
        fields.put("series", Math.max(1, Math.round(estimate.series())));
        fields.put("cells", Math.round(estimate.cells(size)));
      }
    }
    if (!pieces.isEmpty()) {
      fields.put("pieces", shown());
      fields.put("piecesLeftOut", Math.max(0, pieces.size() - MAX_PIECES));
    }
    return fields;
  }

  private List<Object> shown() {
    List<Object> shown = new ArrayList<>();
    for (QueryPlan.Piece piece : pieces.subList(0, Math.min(MAX_PIECES, pieces.size()))) {
      QueryPlan.Table table = piece.table();
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("from", piece.from());
      one.put("to", piece.to());
      one.put("interval", table == null ? "raw" : table.interval());
      if (table != null) {
        one.put("buckets", (piece.to() - piece.from()) / table.width());
      }
      shown.add(one);
    }
    return shown;
  }
}
