package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.meta.LoadedSeries;
import io.tsdbsuite.bulk.meta.MetaRows;
import io.tsdbsuite.bulk.spill.SeriesTotal;
import io.tsdbsuite.bulk.spill.SeriesTotals;
import io.tsdbsuite.bulk.spill.SpilledRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Makes rows of tsdb-meta for the series of a load. */
final class MetaStep {
  private MetaStep() {}

  static void run(Session session, SpilledRows rows) throws IOException {
    try (SeriesTotals totals = rows.series();
        MetaRows meta =
            new MetaRows(
                session.hbase().connection(), session.settings().tsd().schema(), session.clock())) {
      long made = meta.write(new Loaded(totals)).metaCreated();
      session.workDir().journal().append(new JournalEvent.MetaDone(made));
    }
  }

  private static final class Loaded implements Iterator<LoadedSeries> {
    private final SeriesTotals totals;
    private @Nullable SeriesTotal next;

    Loaded(SeriesTotals totals) throws IOException {
      this.totals = totals;
      this.next = totals.next();
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public LoadedSeries next() {
      SeriesTotal total = next;
      if (total == null) {
        throw new NoSuchElementException();
      }
      try {
        next = totals.next();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new LoadedSeries(total.tsuid(), total.points(), total.newestMillis());
    }
  }
}
