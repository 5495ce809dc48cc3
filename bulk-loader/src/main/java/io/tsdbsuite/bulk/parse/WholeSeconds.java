package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import java.io.IOException;
import java.io.InputStream;

/** Cuts the times of another reader to whole seconds. */
final class WholeSeconds implements PointReader {
  private static final long SECONDS_END = 1L << 32;

  private final PointReader reader;

  WholeSeconds(PointReader reader) {
    this.reader = reader;
  }

  @Override
  public void read(InputStream in, Position from, long end, PointHandler handler)
      throws IOException {
    reader.read(in, from, end, new Cutting(handler));
  }

  /** The same of blocks. */
  static BlockParser of(BlockParser parser) {
    return (block, line, handler) -> parser.parse(block, line, new Cutting(handler));
  }

  private static long seconds(long timestamp) {
    return timestamp < SECONDS_END ? timestamp : timestamp / 1000;
  }

  private record Cutting(PointHandler to) implements PointHandler {
    @Override
    public void integer(SeriesText series, long timestamp, long value) throws IOException {
      to.integer(series, seconds(timestamp), value);
    }

    @Override
    public void floating(SeriesText series, long timestamp, double value) throws IOException {
      to.floating(series, seconds(timestamp), value);
    }

    @Override
    public void rejected(
        RejectReason reason, long line, String detail, byte[] text, int off, int len)
        throws IOException {
      to.rejected(reason, line, detail, text, off, len);
    }

    @Override
    public void skippedPoint(SkipKind kind) {
      to.skippedPoint(kind);
    }

    @Override
    public void withoutPoint() {
      to.withoutPoint();
    }

    @Override
    public void skipped(Count reason) {
      to.skipped(reason);
    }

    @Override
    public boolean at(Position position) throws IOException {
      return to.at(position);
    }
  }
}
