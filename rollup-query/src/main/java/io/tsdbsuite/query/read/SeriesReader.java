package io.tsdbsuite.query.read;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.plan.PlannedPieces;
import io.tsdbsuite.query.plan.RawReason;
import io.tsdbsuite.query.plan.RollupFunction;
import io.tsdbsuite.query.plan.RollupTables;
import io.tsdbsuite.query.run.QueryContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import net.opentsdb.core.RawQuery;
import net.opentsdb.core.SeriesSpan;
import org.hbase.async.BinaryPrefixComparator;
import org.hbase.async.Bytes;
import org.hbase.async.ColumnRangeFilter;
import org.hbase.async.CompareFilter.CompareOp;
import org.hbase.async.FilterList;
import org.hbase.async.QualifierFilter;
import org.hbase.async.ScanFilter;

/** Reads the series of a function of rollups and points: numbers. */
final class SeriesReader extends PlanReader<SeriesSpan> {
  private final RollupTables tables;
  private final RollupFunction function;

  SeriesReader(
      Shared shared,
      RawQuery query,
      RollupFunction function,
      PlannedPieces plan,
      QueryContext context) {
    super(
        shared,
        query,
        plan,
        RawReason.Kind.BESIDE_ROLLUPS,
        function == RollupFunction.AVG,
        context);
    this.tables = shared.tables;
    this.function = function;
  }

  @Override
  RowReader rawRows(TimeRanges pieces) {
    return new RawRows(schema, function, pieces, query.wantsAnnotations());
  }

  @Override
  RowReader rollupRows(RollupInterval interval, boolean packed, TimeRanges pieces) {
    return rollupRows(schema, tables, interval, packed, function, pieces);
  }

  /** Decodes rows of a plain or packed table of rollups. */
  static RowReader rollupRows(
      StorageSchema schema,
      RollupTables tables,
      RollupInterval interval,
      boolean packed,
      RollupFunction function,
      TimeRanges pieces) {
    return packed
        ? new PackedRows(schema, interval, function, pieces)
        : new RollupRows(schema, tables, interval, function, pieces);
  }

  @Override
  ScanFilter cells(boolean packed) {
    if (packed) {
      byte kind = (byte) PackedRow.kind(function.level());
      return new ColumnRangeFilter(new byte[] {kind}, true, new byte[] {(byte) (kind + 1)}, false);
    }
    List<ScanFilter> cells = new ArrayList<>();
    for (String aggregator : function.aggregators()) {
      byte[] id = {(byte) tables.id(aggregator)};
      cells.add(new QualifierFilter(CompareOp.EQUAL, new BinaryPrefixComparator(id)));
      cells.add(
          new QualifierFilter(
              CompareOp.EQUAL, new BinaryPrefixComparator(Bytes.ISO88591(aggregator))));
    }
    return new FilterList(cells, FilterList.Operator.MUST_PASS_ONE);
  }

  @Override
  int cellsOfRollup() {
    return function.aggregators().size();
  }

  @Override
  long baseTime(RollupInterval interval, long seconds) {
    return interval.baseTime(seconds);
  }

  @Override
  List<SeriesSpan> chain(Collection<List<ScannedSeries>> parts) {
    List<SeriesSpan> series = new ArrayList<>(parts.size());
    for (List<ScannedSeries> each : parts) {
      ScannedSeries merged = ScannedSeries.merge(each);
      series.add(
          new SeriesSpan(
              tsdb,
              merged.key(),
              merged.times,
              merged.values,
              merged.counts,
              merged.annotations()));
    }
    return series;
  }
}
