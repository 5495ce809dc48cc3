package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.load.HFileSupport;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.sink.HadoopFailures;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.sink.SinkFactory;
import io.tsdbsuite.rollup.sink.SinkResult;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * Writes HFiles for the rollup tables of a single cluster, one file for each region with rollups.
 * The sinks of tasks produce records for Spark's shuffle; after the shuffle other tasks write them,
 * one for each region, and the driver records the files before it commits.
 */
public final class HFileSinkFactory implements SinkFactory {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(HFileSinkFactory.class);
  private static final HexFormat HEX = HexFormat.of();

  /** Name of the directory of a run in {@link #output}. */
  public static final String OUTPUT = "hfileDir";

  /** Number of the parts of packed rows in {@link #output}, if there are packed tables. */
  private static final String PACKED_PARTS = "packedParts";

  /** Cells of a rollup without further aggregators. */
  public static final int LEAST_CELLS = 4;

  private final RowKey rowKey;
  private final String run;
  private final String runDir;

  /** Timestamp of the cells, milliseconds since the epoch. */
  private long stamp;

  /** On the driver. */
  private final transient HFileSinkOptions options;

  /** On the driver. */
  private final transient Configuration configuration;

  /** On the driver. */
  private final transient TargetSource source;

  /** Set by {@link #check}. */
  private List<Target> targets = List.of();

  /** On the driver, set by {@link #check}; null if unknown. */
  private transient @Nullable String cluster;

  /** On the driver; null before {@link #proof}. */
  private transient @Nullable RunProof proof;

  private transient boolean claimed;
  private transient List<WrittenFile> written = List.of();

  /**
   * @param configuration configuration of the directory's file system
   * @param source describes the rollup tables
   */
  public HFileSinkFactory(
      HFileSinkOptions options, Configuration configuration, TargetSource source) {
    this.options = options;
    this.configuration = configuration;
    this.source = source;
    this.rowKey = new RowKey(options.schema());
    this.run = options.run();
    this.runDir = RunDir.of(options.dir(), options.run()).toString();
  }

  @Override
  public Map<String, String> output() {
    return targets.stream().noneMatch(Target::isPacked)
        ? Map.of(OUTPUT, runDir)
        : Map.of(OUTPUT, runDir, PACKED_PARTS, Long.toString(cells(true)));
  }

  @Override
  public long leastMessages(long rollups) {
    // A rollup may be a histogram alone.
    return targets.stream().anyMatch(Target::isHistogram) ? rollups : rollups * LEAST_CELLS;
  }

  @Override
  public void asOf(long millis) {
    stamp = millis;
  }

  /** Checks the tables and creates the directory, which must not exist. */
  @Override
  public void check() throws SinkException {
    List<Target> found = new ArrayList<>();
    for (RollupInterval interval : options.intervals()) {
      String text = interval.interval();
      found.add(target(text, AggregatorIds.of(options.rollups(), text)));
      if (options.rollups().suite().histogram(text)) {
        found.add(target(Level.text(text, Level.HISTOGRAM), options.codecs().ids()));
      }
      if (options.rollups().suite().packedTable(text) != null) {
        found.add(
            target(Level.text(text, Level.PACKED), AggregatorIds.of(options.rollups(), text)));
      }
    }
    targets = found;
    cluster = source.cluster();
    try {
      Path dir = new Path(runDir);
      FileSystem files = dir.getFileSystem(configuration);
      if (files.exists(dir)) {
        throw new SinkException.Fatal("directory " + runDir + " must not exist, but does");
      }
      if (!files.mkdirs(dir)) {
        throw new IOException("mkdirs refused without a reason");
      }
      claimed = true;
    } catch (IllegalArgumentException e) {
      throw new SinkException.Fatal(
          "--hfile-dir " + options.dir() + " is no path: " + e.getMessage(), e);
    } catch (IOException e) {
      throw HadoopFailures.sinkException("directory " + runDir + " can't be made", e);
    }
  }

  private Target target(String text, Map<String, Integer> ids) throws SinkException {
    // The options have checked the intervals, and the configuration its tables.
    Level level = Objects.requireNonNull(options.rollups().level(text));
    return new Target(level, ids, source.table(level.table()));
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (Target target : targets) {
      String replication = HFileSupport.replication(target.table().layout());
      if (replication != null) {
        warnings.add(
            "table %s %s: rollup-job load will ask for --allow-unreplicated"
                .formatted(target.table().name(), replication));
      }
    }
    return warnings;
  }

  @Override
  public boolean wantsNames() {
    return false;
  }

  @Override
  public boolean takesBack() {
    return true;
  }

  @Override
  public RecordSink open(int partition, long attempt) {
    return open(partition, false);
  }

  /**
   * Opens the sink of one task attempt.
   *
   * @param late whether its rows are changed ones outside the window: then a histogram alone takes
   *     back the values of its bucket, as with kafka-ingest
   */
  public RecordSink open(int partition, boolean late) {
    return new RecordSink(rowKey, targets, partition, late);
  }

  /**
   * Returns the shuffle partitions: one for each region, then one with the books of all tasks. Call
   * after {@link #check}.
   */
  public TargetPartitions partitions() {
    return new TargetPartitions(targets.stream().map(Target::table).toList());
  }

  /** The order of records within a partition; serialisable. */
  public Comparator<byte[]> order() {
    return RollupRecord.ORDER;
  }

  /**
   * Writes the records of a partition.
   *
   * @param conf configuration of the output's file system
   * @param attempt a number that no other attempt of this job has
   * @return null if the partition has no record
   * @throws SinkException when writing fails, or the file read back differs
   */
  public @Nullable WrittenFile write(
      Configuration conf, int partition, long attempt, Iterator<Tuple2<byte[], byte[]>> records)
      throws SinkException {
    try {
      return new RegionWriter(runDir, run, stamp, targets, partitions())
          .write(conf, partition, attempt, records);
    } catch (IOException e) {
      throw new SinkException.Retryable("HFiles in " + runDir + ": " + e.getMessage(), e);
    }
  }

  /** False: the output is invalid without the manifest, and {@link #abort} removes all files. */
  @Override
  public boolean keepsFinished() {
    return false;
  }

  /**
   * Records the written files.
   *
   * @param all one for each partition with records
   * @return number of cells in the files, without parts of packed rows
   */
  public long written(List<WrittenFile> all) {
    written = List.copyOf(all);
    return cells(false);
  }

  private long cells(boolean packed) {
    Set<String> tables = new HashSet<>();
    for (Target target : targets) {
      if (target.isPacked() == packed) {
        tables.add(target.table().name());
      }
    }
    return written.stream()
        .filter(file -> tables.contains(file.table()))
        .mapToLong(WrittenFile::cells)
        .sum();
  }

  @Override
  public void proof(RunProof proven) {
    proof = proven;
  }

  /** Removes files of other attempts and writes the manifest. */
  @Override
  public void commit(List<SinkResult> results, RunIdentity identity) throws SinkException {
    try {
      Path dir = new Path(runDir);
      FileSystem files = dir.getFileSystem(configuration);
      for (Target target : targets) {
        removeLeftovers(files, RunDir.table(dir, target.table().name()));
      }
      try (OutputStream out = files.create(new Path(dir, RunDir.MANIFEST), false)) {
        out.write(ManifestJson.write(manifest(identity)));
      }
    } catch (IOException e) {
      throw HadoopFailures.sinkException("directory " + runDir + " can't be completed", e);
    }
  }

  private void removeLeftovers(FileSystem files, Path table) throws IOException {
    files.delete(new Path(table, "_writing"), true);
    Set<String> names = new HashSet<>();
    written.forEach(file -> names.add(file.name()));
    Path family = new Path(table, RowKey.FAMILY);
    if (files.exists(family)) {
      for (FileStatus file : files.listStatus(family)) {
        if (!names.contains(file.getPath().getName())) {
          files.delete(file.getPath(), false);
        }
      }
    }
  }

  private Manifest manifest(RunIdentity identity) {
    List<Manifest.Table> tables = new ArrayList<>();
    for (Target target : targets) {
      String name = target.table().name();
      tables.add(
          new Manifest.Table(
              name,
              target.level().text(),
              target.rowSpan(),
              target.ids(),
              Arrays.stream(target.table().starts()).map(HEX::formatHex).toList(),
              written.stream().filter(file -> file.table().equals(name)).toList()));
    }
    return new Manifest(
        RunDir.format(
            identity.options().containsKey(Manifest.SUITE),
            targets.stream().anyMatch(Target::isHistogram),
            targets.stream().anyMatch(Target::isPacked)),
        run,
        identity.version(),
        cluster,
        stamp,
        identity.options(),
        identity.snapshots(),
        tables,
        proof);
  }

  /** Removes the directory of this run; a no-op if {@link #check} did not pass. */
  @Override
  public void abort() {
    if (!claimed) {
      return;
    }
    try {
      Path dir = new Path(runDir);
      dir.getFileSystem(configuration).delete(dir, true);
    } catch (IOException e) {
      LOG.warn("directory {} of a failed run was not removed", runDir, e);
    }
  }
}
