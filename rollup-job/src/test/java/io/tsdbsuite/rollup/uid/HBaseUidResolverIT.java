package io.tsdbsuite.rollup.uid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The resolver against a real HBase, which the last test stops. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HBaseUidResolverIT {
  private static HBaseServer hbase;

  @BeforeAll
  static void start() throws IOException {
    hbase = HBaseServer.start(WorkDirs.fresh("HBaseUidResolverIT"), Map.of());
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.defaults().create(admin);
    }
    both(new byte[] {0, 0, 1}, "metrics", "sys.cpu");
    both(new byte[] {0, 0, 1}, "tagk", "höst");
    both(new byte[] {(byte) 0xff, 0, 0, 0, 0, 0, 0, 2}, "tagv", "web01");
    // Another UID has the name too, and one has a name that maps to nothing.
    hbase.putCells(
        "tsdb-uid",
        List.of(
            name(new byte[] {0, 0, 0, 0, 0, 0, 0, 3}, "tagv", "web01"),
            name(new byte[] {0, 0, 0, 0, 0, 0, 0, 4}, "tagv", "web02")));
  }

  private static void both(byte[] uid, String qualifier, String name) throws IOException {
    hbase.putCells(
        "tsdb-uid",
        List.of(
            name(uid, qualifier, name),
            new RawCell(
                name.getBytes(StandardCharsets.ISO_8859_1),
                "id",
                qualifier.getBytes(StandardCharsets.ISO_8859_1),
                1000,
                uid)));
  }

  @AfterAll
  static void close() {
    hbase.close();
  }

  private static RawCell name(byte[] uid, String qualifier, String name) {
    return new RawCell(
        uid,
        "name",
        qualifier.getBytes(StandardCharsets.ISO_8859_1),
        1000,
        name.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static HBaseUidResolver resolver(String table, Configuration configuration) {
    TsdConfig config =
        TsdConfig.parse("tsd.storage.uid.width.tagv=8").with(StorageSchema.UID_TABLE, table);
    return new HBaseUidResolver(configuration, StorageSchema.from(config), 100);
  }

  @Test
  @Order(1)
  void namesEveryKindAndRemembers() throws Exception {
    try (HBaseUidResolver resolver = resolver("tsdb-uid", hbase.clientConfiguration())) {
      resolver.check();
      HBaseUidResolver copy = roundTrip(resolver);
      for (HBaseUidResolver each : List.of(resolver, copy)) {
        assertThat(name(each, UidKind.METRIC, 1)).isEqualTo("sys.cpu");
        assertThat(name(each, UidKind.TAGK, 1)).isEqualTo("höst");
        assertThat(name(each, UidKind.TAGV, 0xff00000000000002L)).isEqualTo("web01");
        assertThat(name(each, UidKind.METRIC, 2)).isNull();
        assertThat(name(each, UidKind.TAGV, 1)).isNull();
        assertThat(name(each, UidKind.TAGV, 3)).isNull();
        assertThat(each.foreignName(UidKind.TAGV, 3)).isEqualTo("web01");
        assertThat(each.foreignName(UidKind.TAGV, 4)).isEqualTo("web02");
        assertThat(each.foreignName(UidKind.TAGV, 1)).isNull();
        assertThat(each.foreignName(UidKind.METRIC, 1)).isNull();
      }
      // That there is no name is remembered too, and by all copies.
      both(new byte[] {0, 0, 2}, "metrics", "late");
      assertThat(name(copy, UidKind.METRIC, 2)).isNull();
    }
    try (HBaseUidResolver resolver = resolver("tsdb-uid", hbase.clientConfiguration())) {
      assertThat(name(resolver, UidKind.METRIC, 2)).isEqualTo("late");
    }
  }

  @Test
  @Order(2)
  void missingTableIsNamed() {
    try (HBaseUidResolver resolver = resolver("absent", hbase.clientConfiguration())) {
      assertThatThrownBy(resolver::check)
          .isInstanceOf(TableNotFoundException.class)
          .hasMessageContaining("absent");
    }
  }

  @Test
  @Order(3)
  void hbaseThatIsDownIsSaidToBe() {
    Configuration configuration = hbase.clientConfiguration();
    configuration.setInt("hbase.client.retries.number", 1);
    configuration.setInt("zookeeper.recovery.retry", 1);
    hbase.stop();
    try (HBaseUidResolver resolver = resolver("tsdb-uid", configuration)) {
      assertThatThrownBy(resolver::check)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("HBase does not answer for table tsdb-uid")
          .hasMessageContaining("ZooKeeper localhost port " + hbase.zkPort());
      assertThatThrownBy(() -> name(resolver, UidKind.METRIC, 7))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("tsdb-uid")
          .hasMessageContaining("metrics UID 000007");
    }
  }

  private static String name(HBaseUidResolver resolver, UidKind kind, long uid) {
    ByteSlice slice = new ByteSlice();
    return resolver.lookup(kind, uid, slice) ? slice.toString() : null;
  }

  private static HBaseUidResolver roundTrip(HBaseUidResolver resolver) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(resolver);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (HBaseUidResolver) in.readObject();
    }
  }
}
