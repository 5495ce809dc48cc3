package io.tsdbsuite.job.coverage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Test;

/** Writers that die between any two calls to HBase, or work at the same time. */
class TableMarkerTest {
  private static final String MARKER = "marker/r";
  private static final String OLD_WINDOW = "window/1h/1700006400/old";
  private static final String NEW_WINDOW = "window/1h/1700006400/new";
  private static final int MAX_CALLS = 200;

  /** What the marker is before: none, of a truncated table, of a restored one, equal, begun. */
  private enum Before {
    NONE("", "", ""),
    TRUNCATED("A", "", ""),
    RESTORED("A", "", "Z"),
    EQUAL("A", "", "A"),
    ANNOUNCED("A", "B", "A"),
    CHANGED("A", "B", "B"),
    TRUNCATED_WHILE_ANNOUNCED("A", "B", "");

    private final String id;
    private final String next;
    private final String found;

    Before(String id, String next, String found) {
      this.id = id;
      this.next = next;
      this.found = found;
    }

    private boolean matches() {
      return !found.isEmpty() && (found.equals(id) || found.equals(next));
    }
  }

  /** Something that happens before or after a call to HBase. */
  private interface Event {
    void happen() throws IOException;
  }

  /** The two tables; before and after each call an event may happen. */
  private static final class Tables {
    private final AtomicLong time = new AtomicLong();
    private final MemoryTable coverage = new MemoryTable(this::step, time);
    private final MemoryTable rollups = new MemoryTable(this::step, time);
    private Event event = () -> {};
    private int countdown = -1;
    private String others = "";

    Tables(Before before) {
      put(coverage, MARKER, "id", before.id);
      put(coverage, MARKER, "next", before.next);
      put(rollups, new String(new byte[20], UTF_8), "coverage", before.found);
      put(coverage, OLD_WINDOW, "table", "r");
    }

    private void put(MemoryTable table, String row, String column, String value) {
      if (!value.isEmpty()) {
        Put put = new Put(row.getBytes(UTF_8));
        String family = table == rollups ? "t" : "c";
        put.addColumn(family.getBytes(UTF_8), column.getBytes(UTF_8), value.getBytes(UTF_8));
        table.mutate(put);
      }
    }

    private TableMarker marker() {
      return new TableMarker(coverage.table(), rollups.table(), "r");
    }

    /** Whether readers take the table. */
    private boolean matches() throws IOException {
      String id = TableMarker.id(rollups.table());
      return !id.isEmpty()
          && (id.equals(coverage.value(MARKER, "id")) || id.equals(coverage.value(MARKER, "next")));
    }

    private void step() throws IOException {
      if (countdown-- == 0) {
        event.happen();
      }
    }

    /** Whether the event happened while a writer changed the marker. */
    private boolean changeWith(int steps, Event wanted) {
      event = wanted;
      countdown = steps;
      try {
        assertThat(marker().change()).as("an id of its own").isNotEqualTo(others);
      } catch (IOException e) {
        assertThat(e).hasMessage("died");
      }
      boolean happened = countdown < 0;
      countdown = -1;
      return happened;
    }

    private void requireDone(Before before, String what) throws IOException {
      assertThat(matches()).as(what).isTrue();
      String id = coverage.value(MARKER, "id");
      assertThat(id).as(what).matches("[0-9a-f]{32}").isEqualTo(TableMarker.id(rollups.table()));
      assertThat(coverage.value(MARKER, "next")).as(what).isEmpty();
      assertThat(coverage.value(OLD_WINDOW, "table"))
          .as("%s: a window stays only if its table was never another one", what)
          .isEqualTo(before.matches() ? "r" : "");
    }
  }

  @Test
  void aChangeGivesAnotherId() throws IOException {
    for (Before before : Before.values()) {
      Tables tables = new Tables(before);
      assertThat(tables.matches()).as("%s", before).isEqualTo(before.matches());
      tables.marker().change();
      tables.requireDone(before, before.name());
    }
  }

  @Test
  void aWriterThatDiesNeverMakesAProofOfTheWrongTable() throws IOException {
    for (Before before : Before.values()) {
      boolean died = true;
      for (int steps = 0; died; steps++) {
        String what = before + ", dies at step " + steps;
        assertThat(steps).as(what).isLessThan(MAX_CALLS);
        Tables tables = new Tables(before);
        died =
            tables.changeWith(
                steps,
                () -> {
                  throw new IOException("died");
                });
        boolean matches = tables.matches();
        if (before.matches()) {
          assertThat(matches).as("%s: readers always see a pair", what).isTrue();
        } else if (matches) {
          assertThat(tables.coverage.value(OLD_WINDOW, "table")).as(what).isEmpty();
        }
        tables.marker().change();
        tables.requireDone(before, what);
      }
    }
  }

  @Test
  void aSecondWriterAtAnyTimeLosesNoWindow() throws IOException {
    for (Before before : Before.values()) {
      boolean met = true;
      for (int steps = 0; met; steps++) {
        String what = before + ", another writer at step " + steps;
        assertThat(steps).as(what).isLessThan(MAX_CALLS);
        Tables tables = new Tables(before);
        met =
            tables.changeWith(
                steps,
                () -> {
                  tables.others = tables.marker().change();
                  tables.put(tables.coverage, NEW_WINDOW, "table", "r");
                });
        tables.requireDone(before, what);
        assertThat(tables.coverage.value(NEW_WINDOW, "table")).as(what).isEqualTo(met ? "r" : "");
      }
    }
  }
}
