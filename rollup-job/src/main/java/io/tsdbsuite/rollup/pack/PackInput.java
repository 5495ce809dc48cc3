package io.tsdbsuite.rollup.pack;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.load.HFileSupport;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.input.CompleteInput;
import io.tsdbsuite.rollup.input.Tolerance;
import io.tsdbsuite.rollup.plan.RegionPart;
import io.tsdbsuite.rollup.threads.Workers;
import io.tsdbsuite.rollup.verify.RegionNames;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;

/** The snapshots of a plain table and of its packed one. */
record PackInput(PackOptions options, Snapshot packed, Snapshot plain) {
  private static final int THREADS = 8;

  /**
   * Loads the manifests.
   *
   * @param now milliseconds since the epoch
   * @throws JobException usage, naming all that is wrong
   */
  static PackInput load(Configuration hadoop, PackOptions options, long now) {
    SnapshotLoader loader = new SnapshotLoader(hadoop, options.root());
    Snapshot packed = loader.load(options.packedSnapshot(), RowKey.FAMILY);
    Snapshot plain = loader.load(options.plainSnapshot(), RowKey.FAMILY);
    CompleteInput.requireFlushed(packed, Tolerance.NONE);
    CompleteInput.requireFlushed(plain, Tolerance.NONE);
    List<String> problems = new ArrayList<>();
    table("--packed-snapshot", packed, options.level().table(), problems);
    table("--plain-snapshot", plain, options.interval().table(), problems);
    if (packed.creationTime() >= plain.creationTime()) {
      problems.add(
          ("--packed-snapshot must be taken before --plain-snapshot, else packed rollups that came"
                  + " between them look wrong, found %s and %s")
              .formatted(time(packed), time(plain)));
    }
    if (packed.creationTime() + Coverage.MAX_PROOF_AGE < now) {
      problems.add("--packed-snapshot must be at most 7 days old, found one of " + time(packed));
    }
    require(problems);
    return new PackInput(options, packed, plain);
  }

  private static void table(String option, Snapshot snapshot, String table, List<String> problems) {
    if (!TableName.valueOf(snapshot.table()).equals(TableName.valueOf(table))) {
      problems.add(
          "%s must be of table %s, which rollup_config.json names, found one of %s"
              .formatted(option, table, snapshot.table()));
    }
  }

  static void require(List<String> problems) {
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
  }

  private static String time(Snapshot snapshot) {
    return Instant.ofEpochMilli(snapshot.creationTime()).toString();
  }

  Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("level", options.level().text());
    facts.put("from", Instant.ofEpochSecond(options.window().from()).toString());
    facts.put("to", Instant.ofEpochSecond(options.window().to()).toString());
    facts.put("packedTable", options.level().table());
    facts.put("packedSnapshot", packed.name());
    facts.put("packedSnapshotTime", time(packed));
    facts.put("plainTable", options.interval().table());
    facts.put("plainSnapshot", plain.name());
    facts.put("plainSnapshotTime", time(plain));
    return facts;
  }

  /**
   * Requires that the tables are those of the snapshots, and take HFiles.
   *
   * @throws JobException usage, naming all that is wrong
   * @throws IOException when HBase fails
   */
  void requireTables(Connection connection) throws IOException {
    List<String> problems = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      same(admin, plain, problems);
      if (same(admin, packed, problems)) {
        TableLayout layout =
            TableLayout.read(connection, TableName.valueOf(packed.table()), RowKey.family());
        if (layout.isReadOnly()) {
          problems.add("table " + packed.table() + " must take writes, found READONLY");
        }
        String replication = HFileSupport.replication(layout);
        if (replication != null) {
          problems.add("table " + packed.table() + " " + replication);
        }
      }
    }
    require(problems);
  }

  private static boolean same(Admin admin, Snapshot snapshot, List<String> problems)
      throws IOException {
    TableName name = TableName.valueOf(snapshot.table());
    if (!admin.tableExists(name) || !admin.isTableEnabled(name)) {
      problems.add("table " + name + " must exist and be enabled");
      return false;
    }
    List<String> live = admin.getRegions(name).stream().map(RegionInfo::getEncodedName).toList();
    List<String> taken = snapshot.regions().stream().map(SnapshotRegion::encodedName).toList();
    if (!RegionNames.hash(live).equals(RegionNames.hash(taken))) {
      problems.add(
          ("table %s must have the regions of snapshot %s: it is of another cluster, or was"
                  + " truncated, made again, split or merged since; take new snapshots")
              .formatted(name, snapshot.name()));
      return false;
    }
    return true;
  }

  /**
   * The regions of the packed table, with the parts of the plain table that have the same keys.
   *
   * @throws IOException when storage fails
   */
  List<PackTask.Region> regions() throws IOException {
    try (Workers workers = new Workers("pack-files", THREADS)) {
      List<RegionPart> ofPacked = workers.mapUntilFailure(packed.regions(), r -> part(packed, r));
      List<RegionPart> ofPlain = workers.mapUntilFailure(plain.regions(), r -> part(plain, r));
      List<PackTask.Region> regions = new ArrayList<>();
      int first = 0;
      for (RegionPart part : ofPacked) {
        while (isBefore(ofPlain.get(first).stopRow(), part.startRow())) {
          first++;
        }
        List<RegionPart> same = new ArrayList<>();
        for (int i = first; i < ofPlain.size(); i++) {
          RegionPart other = ofPlain.get(i);
          if (part.stopRow().length > 0
              && Arrays.compareUnsigned(other.startRow(), part.stopRow()) >= 0) {
            break;
          }
          same.add(
              new RegionPart(
                  other.region(),
                  later(part.startRow(), other.startRow()),
                  earlier(part.stopRow(), other.stopRow()),
                  other.files(),
                  false));
        }
        regions.add(new PackTask.Region(regions.size(), part, List.copyOf(same)));
      }
      return regions;
    }
  }

  private static RegionPart part(Snapshot snapshot, SnapshotRegion region) throws IOException {
    return new RegionPart(
        region.encodedName(),
        region.startKey(),
        region.endKey(),
        new StoreFileResolver(snapshot).resolve(region),
        false);
  }

  /** Whether a range ends before a row. */
  private static boolean isBefore(byte[] stopRow, byte[] row) {
    return stopRow.length > 0 && Arrays.compareUnsigned(stopRow, row) <= 0;
  }

  private static byte[] later(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) >= 0 ? one : other;
  }

  private static byte[] earlier(byte[] one, byte[] other) {
    return other.length == 0 || (one.length > 0 && Arrays.compareUnsigned(one, other) <= 0)
        ? one
        : other;
  }
}
