package io.tsdbsuite.job.coverage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Test;

/** What a writer of windows refuses, and what it removes. */
class CoverageTableTest {
  private static final long FROM = 1_700_006_400;
  private static final long DAY = 86400;
  private static final long NOW = (FROM + 5 * DAY) * 1000;

  private final AtomicLong time = new AtomicLong();
  private final MemoryTable coverage = new MemoryTable(() -> {}, time);
  private final MemoryTable rollups = new MemoryTable(() -> {}, time);
  private final CoverageTable table = table();

  private CoverageTable table() {
    Connection connection =
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                    String.valueOf(arguments[0]).equals("r") ? rollups.table() : coverage.table());
    try {
      return new CoverageTable(connection, "coverage");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CoverageWindow window(long day, String writer, String metrics) {
    long from = FROM + day * DAY;
    return CoverageWindow.of(
        "1h", from, from + DAY, writer, "r", (from + DAY) * 1000, metrics, "a report");
  }

  private List<String> windows() throws Exception {
    return table.windows().stream().map(CoverageWindow::writer).toList();
  }

  @Test
  void aTableThatBecameAnotherOneGetsNoWindow() throws Exception {
    CoverageWindow window = window(0, "a", "*");
    Map<String, String> marks = Map.of("r", table.mark("r"));
    rollups.mutate(new Delete(CoverageRows.tableMarkerRow()).addFamily(new byte[] {'t'}));
    assertThatThrownBy(() -> table.add(List.of(window), marks, NOW))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("table r must have the marker of this load", "found none");
    String other = table.mark("r");
    assertThatThrownBy(() -> table.add(List.of(window), marks, NOW)).hasMessageContaining(other);
    assertThat(windows()).isEmpty();
    table.add(List.of(window), Map.of("r", other), NOW);
    assertThat(windows()).containsExactly("a");
    assertThat(table.counts(window)).isTrue();
  }

  /** Masks of that time may be gone. */
  @Test
  void anOldProofIsRefused() throws Exception {
    CoverageWindow window = window(0, "a", "*");
    Map<String, String> marks = Map.of("r", table.mark("r"));
    long old = window.asOf() + Coverage.MAX_PROOF_AGE + 1;
    assertThatThrownBy(() -> table.add(List.of(window), marks, old))
        .isInstanceOf(CoverageRefusedException.class)
        .hasMessageContaining("at most 7 days old");
    table.add(List.of(window), marks, old - 1);
    assertThat(windows()).containsExactly("a");
  }

  @Test
  void whatReadersRefuseIsNotWritten() throws Exception {
    for (int i = 0; i < CoverageReader.MAX_WINDOWS; i++) {
      CoverageWindow window = window(0, "w" + i, "*");
      Put put =
          new Put(CoverageRows.windowRow("1h", window.from(), window.writer()).getBytes(UTF_8));
      CoverageRows.columns(window)
          .forEach(
              (column, value) ->
                  put.addColumn(new byte[] {'c'}, column.getBytes(UTF_8), value.getBytes(UTF_8)));
      coverage.mutate(put);
    }
    assertThatThrownBy(() -> table.add(List.of(window(1, "a", "*")), Map.of("r", "any"), NOW))
        .isInstanceOf(CoverageRefusedException.class)
        .hasMessageContaining("would prove nothing: more than 10000 windows");
    assertThat(windows()).hasSize(CoverageReader.MAX_WINDOWS);
    coverage.mutate(
        new Put("zzz".getBytes(UTF_8)).addColumn(new byte[] {'c'}, new byte[] {'a'}, new byte[0]));
    assertThatThrownBy(this::windows).hasMessageContaining("row zzz: its kind must be known");
  }

  @Test
  void windowsThatSayNothingMoreGo() throws Exception {
    table.add(List.of(window(0, "a", "web.*"), window(1, "b", "*")), NOW);
    table.add(List.of(window(2, "expired", "*").expiring((FROM + 4 * DAY) * 1000 - 1)), NOW);
    assertThat(windows()).containsExactly("a", "b", "expired");
    table.add(List.of(window(0, "c", "*"), window(1, "d", "web.*"), window(3, "e", "*")), NOW);
    assertThat(windows()).containsExactly("c", "b", "d", "e");
  }
}
