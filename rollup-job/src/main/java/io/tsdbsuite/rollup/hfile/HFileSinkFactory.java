package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.sink.HadoopFailures;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.sink.SinkFactory;
import io.tsdbsuite.rollup.sink.SinkResult;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes HFiles for the rollup tables of a single cluster. Sinks make records; the job takes them
 * through a shuffle to {@link #writer}, and tells what was written before it commits.
 */
public final class HFileSinkFactory implements SinkFactory {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(HFileSinkFactory.class);
  private static final HexFormat HEX = HexFormat.of();

  /** Cells that one rollup makes: sum, min, max, count. */
  public static final int CELLS_PER_INTERVAL = 4;

  private final RowKey rowKey;
  private final String run;
  private final long stamp;
  private final String runDir;

  /** On the driver. */
  private final transient HFileSinkOptions options;

  /** On the driver. */
  private final transient Configuration configuration;

  /** On the driver. */
  private final transient TargetSource source;

  /** Known once {@link #check} has passed. */
  private List<Target> targets = List.of();

  private transient boolean claimed;
  private transient List<WrittenFile> written = List.of();
  private transient RunIdentity identity = new RunIdentity("", Map.of());

  /**
   * @param configuration how to reach the directory's file system
   * @param source knows the rollup tables
   */
  public HFileSinkFactory(
      HFileSinkOptions options, Configuration configuration, TargetSource source) {
    this.options = options;
    this.configuration = configuration;
    this.source = source;
    this.rowKey = new RowKey(options.schema());
    this.run = options.run();
    this.stamp = options.stamp();
    this.runDir = RunDir.of(options.dir(), options.run()).toString();
  }

  /** The directory of this run. */
  public String directory() {
    return runDir;
  }

  @Override
  public Map<String, String> output() {
    return Map.of("hfileDir", runDir);
  }

  /** Looks at the tables and makes the directory, which nobody may have made before. */
  @Override
  public void check() throws SinkException {
    List<Target> found = new ArrayList<>();
    for (RollupInterval interval : options.intervals()) {
      found.add(new Target(interval, options.ids(), source.table(interval.table())));
    }
    targets = found;
    try {
      Path dir = new Path(runDir);
      FileSystem files = dir.getFileSystem(configuration);
      if (files.exists(dir)) {
        throw new SinkException.Fatal("directory " + runDir + " must not exist, but does", null);
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

  @Override
  public boolean wantsNames() {
    return false;
  }

  @Override
  public SinkFactory sharedBy(int tasks) {
    return this;
  }

  @Override
  public RollupSink open(int partition, long attempt) {
    return records(partition, attempt);
  }

  /** The sink of one task attempt; see {@link #open}. */
  public RecordSink records(int partition, long attempt) {
    return new RecordSink(rowKey, targets, partition, attempt);
  }

  /** Where records go; once {@link #check} has passed. */
  public TargetPartitions partitions() {
    return new TargetPartitions(targets.stream().map(Target::table).toList());
  }

  /** Writes the records of a region; once {@link #check} has passed. */
  public RegionWriter writer() {
    return new RegionWriter(runDir, run, stamp, targets, partitions());
  }

  /** False: nothing is complete without the manifest, and {@link #abort} removes it all. */
  @Override
  public boolean keepsFinished() {
    return false;
  }

  /**
   * Takes note of what was written.
   *
   * @param files one for each region that has rollups
   */
  public void written(List<WrittenFile> files) {
    written = List.copyOf(files);
  }

  /** Takes note of what the run was asked to do, for the manifest. */
  public void identity(RunIdentity of) {
    identity = of;
  }

  /** Removes what other attempts have left, and writes the manifest. */
  @Override
  public void commit(List<SinkResult> results) throws SinkException {
    try {
      Path dir = new Path(runDir);
      FileSystem files = dir.getFileSystem(configuration);
      for (Target target : targets) {
        removeLeftovers(files, RunDir.table(dir, target.table().name()));
      }
      try (OutputStream out = files.create(new Path(dir, RunDir.MANIFEST), false)) {
        out.write(ManifestJson.write(manifest()));
      }
    } catch (IOException e) {
      throw HadoopFailures.sinkException("directory " + runDir + " can't be completed", e);
    }
  }

  private void removeLeftovers(FileSystem files, Path table) throws IOException {
    files.delete(new Path(table, "_writing"), true);
    Set<String> names = new HashSet<>();
    written.forEach(file -> names.add(file.name()));
    Path family = new Path(table, TargetTable.FAMILY);
    if (files.exists(family)) {
      for (FileStatus file : files.listStatus(family)) {
        if (!names.contains(file.getPath().getName())) {
          files.delete(file.getPath(), false);
        }
      }
    }
  }

  private Manifest manifest() {
    List<Manifest.Table> tables = new ArrayList<>();
    for (Target target : targets) {
      String name = target.table().name();
      tables.add(
          new Manifest.Table(
              name,
              target.interval().interval(),
              target.interval().rowSpan(),
              target.ids().byName(),
              Arrays.stream(target.table().starts()).map(HEX::formatHex).toList(),
              written.stream().filter(file -> file.table().equals(name)).toList()));
    }
    return new Manifest(
        RunDir.FORMAT,
        run,
        identity.version(),
        stamp,
        identity.options(),
        identity.snapshots(),
        tables);
  }

  /** Removes the directory of this run, but nothing if {@link #check} had not passed. */
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
