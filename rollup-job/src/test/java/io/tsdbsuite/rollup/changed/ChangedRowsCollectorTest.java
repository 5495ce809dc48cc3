package io.tsdbsuite.rollup.changed;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.plan.ChangedRowSetBuilder;
import io.tsdbsuite.rollup.report.Books;
import java.nio.ByteBuffer;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ChangedRowsCollectorTest {
  private static final StorageSchema SCHEMA = StorageSchema.defaults();
  private static final int HOUR = 3600;
  private static final int START = 20_000 * 24 * HOUR;

  private int cancelled;
  private final ChangedRowsCollector collector =
      new ChangedRowsCollector(SCHEMA, false, 5, () -> cancelled++);

  private static byte[] row(int hour) {
    return ByteBuffer.allocate(3 + 4 + 6).put(2, (byte) 1).putInt(3, START + hour * HOUR).array();
  }

  private static ChangedRowsTask.Found found(boolean tooMany, int from, int to, int expired) {
    ChangedRowSetBuilder rows = new ChangedRowSetBuilder(SCHEMA, false);
    for (int hour = from; hour < to; hour++) {
      rows.add(row(hour));
    }
    ChangedRowSetBuilder old = new ChangedRowSetBuilder(SCHEMA, false);
    for (int hour = 0; hour < expired; hour++) {
      old.add(row(1000 + hour));
    }
    return new ChangedRowsTask.Found(
        rows.build(), old.build(), tooMany, new Books(), 1, 2, 1, 0, new TreeSet<>());
  }

  @Test
  void addsUpWhatIsAllowed() {
    collector.add(found(false, 0, 2, 1));
    // The same rows are in another file too.
    collector.add(found(false, 1, 4, 0));
    assertThat(collector.isStopped()).isFalse();
    assertThat(cancelled).isZero();
    assertThat(collector.found().rows().changedRows()).isEqualTo(4);
    assertThat(collector.found().expired().changedRows()).isEqualTo(1);
    assertThat(collector.found().older()).isEqualTo(2);
    assertThat(collector.found().searched()).isEqualTo(4);
  }

  @Test
  void keepsNothingOnceAllTasksTogetherHaveTooMany() {
    collector.add(found(false, 0, 3, 0));
    collector.add(found(false, 3, 5, 1));
    assertThat(collector.isStopped()).isTrue();
    collector.add(found(false, 10, 15, 0));
    assertThat(cancelled).isEqualTo(1);
    assertThat(collector.found().rows().size()).isZero();
    assertThat(collector.found().expired().size()).isZero();
  }

  @Test
  void stopsWhenOneTaskAloneHasTooMany() {
    collector.add(found(true, 0, 0, 0));
    assertThat(collector.isStopped()).isTrue();
    assertThat(cancelled).isEqualTo(1);
  }
}
