package io.tsdbsuite.rollup.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.report.RunProof;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;

/** A load that may read the coverage table, but not change the marker of a rollup table. */
class LoadedCoverageTest {
  private static final Instant READ = Instant.parse("2025-11-20T01:00:00Z");
  private static final long FROM = Instant.parse("2025-11-19T00:00:00Z").getEpochSecond();
  private static final RollupConfig ROLLUPS =
      RollupConfig.parse(
          "{\"aggregationIds\":{\"sum\":0,\"count\":1,\"min\":2,\"max\":3},\"intervals\":["
              + "{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb\",\"interval\":\"1m\","
              + "\"rowSpan\":\"1h\",\"defaultInterval\":true}]}");

  private final List<Result> rows = new ArrayList<>();

  private static <T> T proxy(Class<T> type, InvocationHandler calls) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
  }

  private Object coverage(String method) {
    if (method.equals("getScanner")) {
      Iterator<Result> left = rows.iterator();
      return proxy(
          ResultScanner.class,
          (of, each, with) -> each.getName().equals("next") && left.hasNext() ? left.next() : null);
    }
    return new Result();
  }

  /** Without suite the same. */
  @Test
  void aRunWithSuiteAndACoverageThatMayNotBeReadIsAFaultOfUse() {
    RollupConfig config = LoadCheckTest.config(LoadCheckTest.entry("*", "1h", "p99"));
    for (String suite : List.of("", config.suite().text())) {
      assertThatThrownBy(
              () -> loaded(suite, config, new AccessDeniedException("no right R")).floors())
          .as("suite %s", suite)
          .isInstanceOf(JobException.class)
          .hasMessageContaining("it needs R, W and C on table coverage")
          .hasMessageContaining("no right R");
      assertThatThrownBy(
              () -> loaded(suite, config, new TableNotEnabledException("coverage")).floors())
          .isInstanceOf(JobException.class)
          .hasMessageContaining("table coverage must be enabled, found disabled");
    }
  }

  /** A load that writes its windows into a table that cannot be read. */
  private static LoadedCoverage loaded(String suite, RollupConfig config, IOException failure)
      throws IOException {
    Manifest manifest =
        new Manifest(
            1,
            "run",
            "rollup-job 1",
            "id",
            READ.toEpochMilli(),
            Map.of(
                "--from", "2025-11-19T00:00:00Z", "--to", "2025-11-20T00:00:00Z", "suite", suite),
            Map.of(),
            List.of(new Manifest.Table("r-1h", "1h", "1d", Map.of(), List.of(""), List.of())),
            new RunProof(READ, List.of(), List.of(), List.of()));
    Table coverage =
        proxy(
            Table.class,
            (of, method, with) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              throw failure;
            });
    TableDescriptor descriptor =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("coverage"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(CoverageRows.FAMILY))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("t"))
            .build();
    return new LoadedCoverage(
        proxy(Connection.class, (of, method, with) -> coverage),
        proxy(
            Admin.class,
            (of, method, with) -> method.getName().equals("getDescriptor") ? descriptor : true),
        new CoverageChoice("coverage", false, true, true, Duration.ZERO),
        proxy(
            StoredRun.class,
            (of, method, with) -> method.getName().equals("manifest") ? manifest : "w"),
        StorageSchema.from(TsdConfig.parse("")),
        config,
        HistogramCodecs.NONE,
        READ);
  }

  private int removeSpoiled() throws IOException {
    Manifest manifest =
        new Manifest(
            1,
            "20251120T031500Z_0a1b2c",
            "rollup-job 1",
            "id",
            READ.toEpochMilli(),
            Map.of("--from", "2025-11-19T00:00:00Z", "--to", "2025-11-20T00:00:00Z"),
            Map.of(),
            List.of(new Manifest.Table("r", "1h", "1d", Map.of(), List.of(""), List.of())),
            new RunProof(READ, List.of(), List.of(), null));
    Table coverage = proxy(Table.class, (of, method, with) -> coverage(method.getName()));
    Table rollups =
        proxy(
            Table.class,
            (of, method, with) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              throw new AccessDeniedException("no right W");
            });
    LoadedCoverage loaded =
        new LoadedCoverage(
            proxy(
                Connection.class,
                (of, method, with) -> String.valueOf(with[0]).equals("r") ? rollups : coverage),
            proxy(Admin.class, (of, method, with) -> true),
            new CoverageChoice("coverage", false, false, false, Duration.ZERO),
            proxy(StoredRun.class, (of, method, with) -> manifest),
            StorageSchema.from(TsdConfig.parse("")),
            ROLLUPS,
            HistogramCodecs.NONE,
            READ);
    return loaded.removeSpoiled();
  }

  private void window(Instant asOf) {
    window("1h", asOf);
  }

  private void window(String level, Instant asOf) {
    CoverageWindow window =
        CoverageWindow.of(level, FROM, FROM + 3600, "w", "r", asOf.toEpochMilli(), "*", "e");
    List<Cell> cells = new ArrayList<>();
    CoverageRows.columns(window)
        .forEach(
            (column, value) ->
                cells.add(
                    new KeyValue(
                        CoverageRows.windowRow(level, FROM, "w").getBytes(UTF_8),
                        CoverageRows.FAMILY.getBytes(UTF_8),
                        column.getBytes(UTF_8),
                        1,
                        value.getBytes(UTF_8))));
    rows.add(Result.create(cells));
  }

  @Test
  void aRunThatMakesNoWindowWrongIsLoaded() throws IOException {
    assertThat(removeSpoiled()).isZero();
    window(READ.minusSeconds(1));
    assertThat(removeSpoiled()).isZero();
  }

  @Test
  void aCompleteRunOverOlderDataIsNot() {
    window(READ.plusSeconds(1));
    assertThatThrownBy(this::removeSpoiled)
        .isInstanceOf(JobException.class)
        .hasMessageContaining("older data, cannot be removed")
        .hasMessageContaining("no right W");
  }

  @Test
  void aRunWithoutTheAggregatorOfAWindowIsNot() {
    window("1h.p99", READ.minusSeconds(1));
    assertThatThrownBy(this::removeSpoiled)
        .isInstanceOf(JobException.class)
        .hasMessageContaining("no right W");
  }
}
