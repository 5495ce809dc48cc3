package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

/** What a load proves, what it does not, and what voids it. */
class CoverageIT {
  private static final long FROM = SmallData.FROM;
  private static final long TO = SmallData.TO;
  private static final long HOUR = 3_600_000;
  private static final TimeRanges WINDOW = TimeRanges.of(FROM * 1000, TO * 1000);

  private final HBaseServer hbase = SharedStack.get().hbase();

  private static Path write(RollupStore store) throws IOException {
    Path directory = TestFiles.directory("hfile");
    JobRun run = store.job(directory, FROM, TO).run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    return LoadRun.runDirectory(directory);
  }

  private void create(String table) throws IOException {
    SharedStack.get().create(OpenTsdbTables.of(CorrectnessIT.conf("small")).coverage(table));
  }

  private TimeRanges proven(RollupStore store, String table) throws IOException {
    return read(store, table).proven("1h", HOUR, "a.a");
  }

  private Coverage read(RollupStore store, String table) throws IOException {
    try (CoverageTable coverage = new CoverageTable(hbase.connection(), table)) {
      return coverage.read(Map.of("1h", store.table("1h")), System.currentTimeMillis());
    }
  }

  private static JsonNode load(RollupStore store, Path run, String... more) throws IOException {
    LoadRun load = LoadRun.of(run, store.configFile(), more);
    assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
    return load.reportJson().get("coverage");
  }

  @Test
  void aLoadProvesItsWindowUntilTheTableIsAnotherOne() throws Exception {
    String table = "cov-one-coverage";
    try (RollupStore store = RollupStore.start("cov-one", "1h")) {
      Path first = write(store);
      String option = "--coverage-table=" + table;

      LoadRun missing = LoadRun.of(first, store.configFile(), option);
      assertThat(missing.exitCode()).as(missing::everything).isEqualTo(ExitCode.USAGE);
      assertThat(missing.err()).contains("table " + table + " does not exist");
      assertThat(hbase.cells(store.table("1h"))).as("nothing was loaded").isEmpty();

      assertThat(load(store, first).get("reason").textValue())
          .as("without the option it is no fault")
          .contains("table tsdb-coverage does not exist");
      create(table);
      assertThat(load(store, first, "--no-coverage").get("reason").textValue())
          .contains("not wanted");
      assertThat(proven(store, table).isEmpty()).isTrue();

      JsonNode written = load(store, first, option);
      assertThat(written.get("reason").textValue()).as("%s", written).isEmpty();
      assertThat(written.at("/windows/0/interval").textValue()).isEqualTo("1h");
      assertThat(proven(store, table)).isEqualTo(WINDOW);
      assertThat(load(store, first, option).get("windows")).isEqualTo(written.get("windows"));

      // A snapshot of the table has the marker of its time.
      hbase.snapshot(store.table("1h"), "cov-one-before");
      Path second = write(store);
      assertThat(load(store, second, option).get("windows")).hasSize(1);
      assertThat(proven(store, table)).isEqualTo(WINDOW);
      assertThat(read(store, table).windows()).hasSize(2);
      TableName rollups = TableName.valueOf(store.table("1h"));
      try (Admin admin = hbase.connection().getAdmin()) {
        admin.disableTable(rollups);
        admin.restoreSnapshot("cov-one-before");
        admin.enableTable(rollups);
        assertThat(proven(store, table).isEmpty()).as("restored").isTrue();
        admin.disableTable(rollups);
        admin.truncateTable(rollups, true);
      }
      assertThat(proven(store, table).isEmpty()).as("truncated").isTrue();
      assertThat(load(store, second, option).get("reason").textValue())
          .contains("not all cells of the run are in its tables any more");
      assertThat(proven(store, table).isEmpty()).isTrue();

      Path third = write(store);
      assertThat(load(store, third, option).get("windows")).hasSize(1);
      assertThat(proven(store, table)).isEqualTo(WINDOW);
      assertThat(read(store, table).windows()).as("the void ones went").hasSize(1);
      // It has the same cells.
      assertThat(load(store, second, option).get("windows")).hasSize(1);
      assertThat(read(store, table).windows()).hasSize(2);
    }
  }

  @Test
  void rowsThatWereDeletedAreNotProven() throws Exception {
    String table = "cov-deleted-coverage";
    try (RollupStore store = RollupStore.start("cov-deleted", "1h")) {
      create(table);
      Path first = write(store);
      load(store, first, "--no-coverage");
      try (Table rollups = hbase.connection().getTable(TableName.valueOf(store.table("1h")));
          ResultScanner rows = rollups.getScanner(new Scan().setLimit(1))) {
        for (Result row : rows) {
          rollups.delete(new Delete(row.getRow()));
        }
      }
      Path second = write(store);
      assertThat(load(store, second, "--coverage-table=" + table).get("reason").textValue())
          .contains("1 rows of the run were deleted");
      assertThat(proven(store, table).isEmpty()).isTrue();
    }
  }
}
