package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.hbase.load.HFileDir;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Finds finished HFiles with rows that other writers have changed since. */
final class HFileRangeCheck implements RangeCheck {
  private final Session session;
  private final Supplier<TargetTable> target;
  private final Supplier<HFileDir> directory;

  HFileRangeCheck(Session session, Supplier<TargetTable> target, Supplier<HFileDir> directory) {
    this.session = session;
    this.target = target;
    this.directory = directory;
  }

  @Override
  public StaleRanges find(LoadState state) throws IOException {
    if (!state.written()) {
      return StaleRanges.NONE;
    }
    SortedMap<Integer, String> late = late();
    if (late.isEmpty()) {
      return StaleRanges.NONE;
    }
    return new StaleRanges(
        List.copyOf(late.keySet()), LateRanges.why(late.values().iterator().next()));
  }

  private SortedMap<Integer, String> late() throws IOException {
    Late late = new Late();
    session.timed("lookAgain", late);
    return late.found;
  }

  private final class Late implements Session.Step {
    private SortedMap<Integer, String> found = new TreeMap<>();

    @Override
    public void run() throws IOException {
      try (HFileDir dir = directory.get()) {
        found =
            new LateRanges(target.get(), session.began())
                .find(dir, session.settings().run().threads());
      }
    }
  }
}
