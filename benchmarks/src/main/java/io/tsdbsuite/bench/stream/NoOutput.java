package io.tsdbsuite.bench.stream;

import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.stream.series.RequestReason;
import io.tsdbsuite.stream.series.SeriesOutput;

/** Drops rollups and requests. */
final class NoOutput implements SeriesOutput {
  @Override
  public void rollup(
      byte[] names, int offset, int length, int interval, int start, PointSummary values) {}

  @Override
  public void request(
      byte[] names, int offset, int length, int hour, int mask, RequestReason reason) {}

  @Override
  public void ahead(byte[] names, int offset, int length, int hour, int intervals) {}

  @Override
  public void aggregated(int points) {}

  @Override
  public void closed() {}

  @Override
  public void emitted() {}

  @Override
  public void dirty(RequestReason reason) {}

  @Override
  public void requestDropped() {}
}
