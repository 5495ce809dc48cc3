package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.HFileLoader;
import io.tsdbsuite.hbase.load.RegionHFiles;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.rollup.hfile.RunDir;
import io.tsdbsuite.rollup.report.MetricRows.Kept;
import io.tsdbsuite.rollup.threads.Workers;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;

/**
 * Writes and loads the markers of rows that a proof names, several regions of its snapshot at the
 * same time, and looks at what the table shows of its rows.
 *
 * @param hbase client configuration of HBase and the file systems
 * @param day whose markers are not loaded
 * @param table that gets the markers: that of the day, or the one with packed copies of its rows
 * @param clock gives the creation time of the files
 */
record DayMarkers(
    Configuration hbase,
    Connection connection,
    ProvenRows day,
    TierTable table,
    InstantSource clock) {
  private static final int THREADS = 8;

  private SnapshotRows rows() {
    return Objects.requireNonNull(day.rows());
  }

  /** Work on the rows of a region that get markers, beside those of the table. */
  @FunctionalInterface
  private interface Work<T> {
    T of(MarkerRows rows, LiveRows live) throws IOException;
  }

  private <T> T beside(SnapshotRegion region, Work<T> work) throws IOException {
    SnapshotRows rows = rows();
    return rows.markers(
        region,
        markers -> {
          try (Table of = connection.getTable(table.hbase());
              LiveRows live = new LiveRows(of, table, rows.from(), rows.to(), rows.stamp())) {
            return work.of(markers, live);
          }
        });
  }

  /**
   * Writes the HFiles.
   *
   * @throws IOException when HBase or storage fails
   */
  List<MarkerManifest.Part> write() throws IOException {
    TableLayout layout = TableLayout.read(connection, table.hbase(), RowKey.family());
    try (HFileDir files = day.dir().hfiles(table.name());
        Workers workers = new Workers("tiers-write", THREADS)) {
      List<MarkerManifest.Part> parts =
          workers.mapUntilFailure(
              rows().regions(),
              region -> beside(region, (r, l) -> write(files, layout, region, r, l)));
      files.files().delete(new Path(files.path(), "_writing"), true);
      return parts;
    }
  }

  private MarkerManifest.Part write(
      HFileDir dir, TableLayout layout, SnapshotRegion region, MarkerRows rows, LiveRows live)
      throws IOException {
    BitSet unmarked = new BitSet();
    long markers = 0;
    try (RegionHFiles hfiles =
        new RegionHFiles(dir, region.encodedName(), layout, Long.MAX_VALUE, clock)) {
      for (int row = 0; rows.next(); row++) {
        if (live.of(rows.row()) == LiveRows.State.OLD) {
          List<Cell> cells = rows.markers();
          hfiles.append(cells);
          markers += cells.size();
        } else {
          unmarked.set(row);
        }
      }
      hfiles.end();
      MarkerManifest.Part part =
          new MarkerManifest.Part(
              region.encodedName(),
              byHex(rows.counts()),
              byName(rows.kept()),
              unmarked.toByteArray(),
              written(dir, hfiles.finished()));
      if (part.markers() != markers) {
        throw new IOException(
            "files %s must have %s markers, found %s"
                .formatted(hfiles.finished(), markers, part.markers()));
      }
      return part;
    }
  }

  private List<MarkerManifest.MarkerFile> written(HFileDir dir, List<String> names)
      throws IOException {
    List<MarkerManifest.MarkerFile> written = new ArrayList<>();
    for (String name : names) {
      Path file = new Path(dir.family(), name);
      try (HFile.Reader reader =
          HFile.createReader(dir.files(), file, CacheConfig.DISABLED, true, hbase)) {
        written.add(
            new MarkerManifest.MarkerFile(
                name,
                reader.getEntries(),
                dir.files().getFileStatus(file).getLen(),
                RunDir.crc32c(dir.files(), file)));
      }
    }
    return written;
  }

  private SortedMap<String, MarkerRows.Count> byHex(Map<Long, MarkerRows.Count> counts) {
    SortedMap<String, MarkerRows.Count> byHex = new TreeMap<>();
    counts.forEach(
        (uid, count) ->
            byHex.put(
                HexFormat.of().formatHex(Uids.bytes(uid, table.schema().metricWidth())), count));
    return byHex;
  }

  private static SortedMap<String, Long> byName(Map<Kept, Long> kept) {
    SortedMap<String, Long> byName = new TreeMap<>();
    kept.forEach((reason, rows) -> byName.put(reason.key(), rows));
    return byName;
  }

  /**
   * Hands the remaining HFiles to HBase; those that it took before are gone.
   *
   * @return their number
   * @throws IOException when HBase or storage fails
   */
  int load(MarkerManifest manifest) throws IOException {
    List<String> names = day.dir().waiting(manifest);
    if (names.isEmpty()) {
      return 0;
    }
    try (HFileDir files = day.dir().hfiles(table.name())) {
      int loaded =
          new HFileLoader(hbase, table.hbase(), RowKey.family()).load(files, names).files();
      files.remove();
      return loaded;
    }
  }

  /**
   * Looks at the rows that the manifest is about.
   *
   * @throws IOException when HBase or storage fails
   */
  ApplyReport.Fates look(MarkerManifest manifest) throws IOException {
    Map<String, SnapshotRegion> regions = new TreeMap<>();
    rows().regions().forEach(region -> regions.put(region.encodedName(), region));
    try (Workers workers = new Workers("tiers-count", THREADS)) {
      return workers
          .mapUntilFailure(
              manifest.parts(),
              part ->
                  beside(
                      Objects.requireNonNull(regions.get(part.region())),
                      (rows, live) -> look(rows, live, part.unmarkedRows())))
          .stream()
          .reduce(ApplyReport.Fates.NONE, ApplyReport.Fates::plus);
    }
  }

  private static ApplyReport.Fates look(MarkerRows rows, LiveRows live, BitSet unmarked)
      throws IOException {
    long deleted = 0;
    long gone = 0;
    long newer = 0;
    long left = 0;
    for (int row = 0; rows.next(); row++) {
      LiveRows.State state = live.of(rows.row());
      if (state == LiveRows.State.GONE) {
        deleted += unmarked.get(row) ? 0 : 1;
        gone += unmarked.get(row) ? 1 : 0;
      } else if (state == LiveRows.State.NEWER || unmarked.get(row)) {
        newer++;
      } else {
        left++;
      }
    }
    return new ApplyReport.Fates(deleted, gone, newer, left);
  }
}
