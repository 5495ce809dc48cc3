package io.tsdbsuite.report.run;

import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.report.model.MetaRow;
import io.tsdbsuite.report.write.ReportWriter;
import io.tsdbsuite.report.write.SeriesNamer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Lists series by last received time, oldest first, untracked last; buffers the whole list. */
final class OldestCollector implements Collector {
  private static final Comparator<MetaRow> OLDEST_FIRST =
      Comparator.comparingLong(OldestCollector::time)
          .thenComparing(row -> TsuidLayout.hex(row.tsuid()));

  private final SeriesNamer namer;
  private final ReportWriter writer;
  private final int limit;
  private final PriorityQueue<MetaRow> held = new PriorityQueue<>(OLDEST_FIRST.reversed());
  private long leftOff;

  OldestCollector(SeriesNamer namer, ReportWriter writer, int limit) {
    this.namer = namer;
    this.writer = writer;
    this.limit = limit;
  }

  private static long time(MetaRow row) {
    return row.tracked() ? row.lastReceivedMillis() : Long.MAX_VALUE;
  }

  @Override
  public void matching(MetaRow row) {
    if (held.size() == limit) {
      leftOff++;
      if (OLDEST_FIRST.compare(row, held.peek()) >= 0) {
        return;
      }
      held.remove();
    }
    held.add(row);
  }

  @Override
  public void finish(Books books) throws IOException {
    List<MetaRow> rows = new ArrayList<>(held);
    rows.sort(OLDEST_FIRST);
    held.clear();
    ListCollector list = new ListCollector(namer, writer, limit);
    for (MetaRow row : rows) {
      list.matching(row);
    }
    list.leaveOff(leftOff);
    list.finish(books);
  }
}
