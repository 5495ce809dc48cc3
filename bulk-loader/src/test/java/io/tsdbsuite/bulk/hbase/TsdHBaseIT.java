package io.tsdbsuite.bulk.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class TsdHBaseIT {
  private static final Map<String, String> TABLES = TsdHBase.tables(StorageSchema.defaults(), true);

  private static HBaseServer hbase;

  @BeforeAll
  static void start() throws IOException {
    hbase = HBaseServer.start(WorkDirs.fresh("TsdHBaseIT"), Map.of());
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.defaults().create(admin);
    }
  }

  @AfterAll
  static void close() {
    hbase.close();
  }

  private static HBaseAddress address(String quorum, String znode) {
    return HBaseAddress.from(
        TsdConfig.parse("")
            .with(HBaseAddress.ZK_QUORUM, quorum)
            .with(HBaseAddress.ZK_BASEDIR, znode));
  }

  private static TsdHBase open(
      HBaseAddress address, Map<String, String> overrides, Map<String, String> tables) {
    Configuration configuration = TsdHBase.configuration(new Configuration(), address, overrides);
    return TsdHBase.open(address, configuration, tables);
  }

  private static JobException refusal(Callable<TsdHBase> open) {
    long start = System.nanoTime();
    JobException e =
        catchThrowableOfType(
            JobException.class,
            () -> {
              try (TsdHBase unexpected = open.call()) {
                assertThat(unexpected).isNull();
              }
            });
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(5));
    return e;
  }

  @Test
  void connects() throws IOException {
    try (TsdHBase tsd = open(address(hbase.zkQuorum(), "/hbase"), Map.of(), TABLES);
        Admin admin = tsd.connection().getAdmin()) {
      assertThat(admin.tableExists(TableName.valueOf("tsdb"))).isTrue();
    }
  }

  @Test
  void allTablesThatAreMissingAreNamedAtOnce() throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.defaults().data("off").uid("uid2").create(admin);
      admin.disableTable(TableName.valueOf("off"));
    }
    StorageSchema schema =
        StorageSchema.from(
            TsdConfig.parse(
                """
                tsd.storage.hbase.data_table=off
                tsd.storage.hbase.uid_table=absent
                tsd.storage.hbase.meta_table=b@d
                """));
    HBaseAddress address = address(hbase.zkQuorum(), "/hbase");

    JobException e = refusal(() -> open(address, Map.of(), TsdHBase.tables(schema, true)));

    assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(e.getMessage().lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("tsd.storage.hbase.data_table: table 'off' must be enab"))
        .anyMatch(line -> line.startsWith("tsd.storage.hbase.uid_table: table 'absent' must exist"))
        .anyMatch(line -> line.startsWith("tsd.storage.hbase.meta_table: must be a table name"));
  }

  @Test
  void aServerThatIsNotThereIsSaidToBe() {
    JobException e = refusal(() -> open(address("localhost:1", "/hbase"), Map.of(), TABLES));

    assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(e)
        .hasMessageStartingWith(
            "HBase at localhost:1, znode /hbase must answer within 30 s, found");
  }

  @Test
  void aZnodeThatIsNotThereIsSaidToBe() {
    JobException e = refusal(() -> open(address(hbase.zkQuorum(), "/prod"), Map.of(), TABLES));

    assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(e)
        .hasMessageContaining("znode /prod must answer")
        .hasMessageContaining("NoNode for /prod");
  }

  @Test
  void aServerThatStopsAnsweringIsNamedWithTableAndRow() throws IOException {
    Map<String, String> impatient =
        Map.of("hbase.client.operation.timeout", "3000", "hbase.client.retries.number", "1");
    List<Get> gets = List.of(new Get(Bytes.toBytes("web01")), new Get(Bytes.toBytes("web01")));
    try (TsdHBase tsd = open(address(hbase.zkQuorum(), "/hbase"), impatient, TABLES);
        ParallelTable table = new ParallelTable(tsd.connection(), TableName.valueOf("tsdb-uid"))) {
      assertThat(table.get(gets)).allMatch(Result::isEmpty);
      hbase.suspend();
      try {
        JobException e = catchThrowableOfType(JobException.class, () -> table.get(gets));
        assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE);
        assertThat(e)
            .hasMessageStartingWith(
                "table 'tsdb-uid' must answer for row web01 and 1 more, found: ");
      } finally {
        hbase.resume();
      }
    }
  }

  @Test
  void aServerThatDoesNotAnswerIsSaidToBe() {
    hbase.suspend();
    try {
      JobException e = refusal(() -> open(address(hbase.zkQuorum(), "/hbase"), Map.of(), TABLES));
      assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE);
      assertThat(e).hasMessageContaining("must answer within 30 s, found");
    } finally {
      hbase.resume();
    }
  }
}
