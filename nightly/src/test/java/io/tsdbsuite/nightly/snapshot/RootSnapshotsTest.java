package io.tsdbsuite.nightly.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RootSnapshotsTest {
  @TempDir private Path dir;

  private void snapshot(String name, byte[] info) throws IOException {
    Path snapshot = Files.createDirectories(dir.resolve(".hbase-snapshot").resolve(name));
    Files.write(snapshot.resolve("data.manifest"), new byte[0]);
    Files.write(snapshot.resolve(".snapshotinfo"), info);
  }

  private static byte[] info(String name, String table) {
    return SnapshotProtos.SnapshotDescription.newBuilder()
        .setName(name)
        .setTable(table)
        .setCreationTime(1)
        .build()
        .toByteArray();
  }

  /** A corrupt snapshot of an earlier night does not stop this one. */
  @Test
  void aCorruptSnapshotIsSkippedAndTold() throws IOException {
    snapshot("tsdb-20261121", info("tsdb-20261121", "tsdb"));
    snapshot("tsdb-uid-20261121", info("tsdb-uid-20261121", "tsdb-uid"));
    snapshot("tsdb-20261120", new byte[0]);
    snapshot("tsdb-20261119", new byte[] {(byte) 0xff, (byte) 0xff});
    RootSnapshots root =
        new RootSnapshots(
            new Configuration(),
            dir.toUri().toString(),
            new SnapshotKind("tsdb", "tsdb-uid", SnapshotPattern.parse(SnapshotPattern.DEFAULT)));
    List<String> corrupt = new ArrayList<>();
    assertThat(root.nights(corrupt::add))
        .singleElement()
        .satisfies(night -> assertThat(night.night().dataSnapshot()).isEqualTo("tsdb-20261121"));
    assertThat(corrupt)
        .hasSize(2)
        .allMatch(message -> message.contains("is corrupt and was skipped"));
    assertThat(root.find("tsdb-20261120")).isEmpty();
    assertThat(root.isHalf("tsdb-20261120")).isTrue();
  }
}
