package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.RegionHFiles;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Writes the records of a region to one HFile. The file name contains the attempt, so a speculative
 * or abandoned attempt touches only its own files.
 *
 * @param dir of the run
 * @param run names the run
 * @param stamp timestamp of the cells, milliseconds since the epoch
 */
record RegionWriter(
    String dir, String run, long stamp, List<Target> targets, TargetPartitions partitions) {

  /**
   * Writes one partition.
   *
   * @return null if the partition has no record
   * @throws IOException when the file cannot be written, or differs when read back
   */
  @Nullable WrittenFile write(
      Configuration conf, int partition, long attempt, Iterator<Tuple2<byte[], byte[]>> records)
      throws IOException {
    if (!records.hasNext()) {
      return null;
    }
    Target target = targets.get(partitions.table(partition));
    int region = partitions.region(partition);
    String tableDir = RunDir.table(new Path(dir), target.table().name()).toString();
    try (HFileDir files = new HFileDir(conf, tableDir, RowKey.FAMILY, RunDir.prefix(run));
        RegionHFiles hfiles =
            new RegionHFiles(
                files,
                "r" + region + "-a" + attempt,
                target.table().layout(),
                Long.MAX_VALUE,
                InstantSource.system())) {
      RowCells cells = new RowCells(target, stamp);
      cells.write(records, hfiles);
      hfiles.end();
      return written(conf, files, hfiles.finished(), target, region, cells);
    }
  }

  private static WrittenFile written(
      Configuration conf,
      HFileDir files,
      List<String> names,
      Target target,
      int region,
      RowCells cells)
      throws IOException {
    if (names.size() != 1) {
      throw new IllegalStateException("a region must get one file, found " + names);
    }
    Path file = new Path(files.family(), names.get(0));
    long stored = cells(conf, files.files(), file);
    if (stored != cells.written()) {
      throw new IOException(
          "file " + file + " must have " + cells.written() + " cells, found " + stored);
    }
    return new WrittenFile(
        target.table().name(),
        names.get(0),
        region,
        stored,
        files.files().getFileStatus(file).getLen(),
        cells.firstRow(),
        cells.lastRow(),
        RunDir.crc32c(files.files(), file));
  }

  /** Reads the number of cells from the file's trailer. */
  private static long cells(Configuration conf, FileSystem files, Path file) throws IOException {
    Codecs.install();
    try (HFile.Reader reader = HFile.createReader(files, file, CacheConfig.DISABLED, true, conf)) {
      return reader.getEntries();
    }
  }
}
