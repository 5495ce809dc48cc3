package io.tsdbsuite.report.run;

import io.tsdbsuite.report.model.MetaRow;
import io.tsdbsuite.report.write.ReportWriter;
import io.tsdbsuite.report.write.SeriesNamer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Lists series in key order; buffers one batch. */
final class ListCollector implements Collector {
  private static final int BATCH = 4096;

  private final SeriesNamer namer;
  private final ReportWriter writer;
  private final long limit;
  private final List<MetaRow> batch = new ArrayList<>();
  private long taken;
  private long written;
  private long leftOff;

  ListCollector(SeriesNamer namer, ReportWriter writer, long limit) {
    this.namer = namer;
    this.writer = writer;
    this.limit = limit;
  }

  @Override
  public void matching(MetaRow row) throws IOException {
    if (taken >= limit) {
      leftOff++;
      return;
    }
    taken++;
    batch.add(row);
    if (batch.size() == BATCH) {
      write();
    }
  }

  /** Adds series that --limit leaves out. */
  void leaveOff(long series) {
    leftOff += series;
  }

  @Override
  public void finish(Books books) throws IOException {
    write();
    books.add(Books.Rows.LISTED, written);
    books.add(Books.Rows.LEFT_OFF, leftOff);
    writer.end(leftOff);
  }

  private void write() throws IOException {
    for (ReportWriter.Series series : namer.name(batch)) {
      writer.series(series);
      written++;
    }
    batch.clear();
  }
}
