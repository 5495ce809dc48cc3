package io.tsdbsuite.hbase.load;

import io.tsdbsuite.hbase.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Hands finished HFiles to HBase, with HBase's own tool: files of regions that were split meanwhile
 * are split too. Can be repeated after any end: files that HBase has taken are removed, and those
 * that it takes twice have the same cells.
 *
 * <p>On HDFS HBase moves a file; elsewhere, on S3 and on local disks, it copies it twice, into its
 * staging directory and from there into the region.
 */
public final class HFileLoader {
  /** The tool refuses more files than this for one region; a region has one of each writer. */
  private static final String MAX_FILES = "hbase.mapreduce.bulkload.max.hfiles.perRegion.perFamily";

  /**
   * What was loaded.
   *
   * @param files HFiles
   * @param cells cells in them
   * @param bytes their size
   */
  public record Loaded(int files, long cells, long bytes) {}

  private final Configuration conf;
  private final TableName table;
  private final byte[] family;

  /**
   * @param conf of the HBase client and of the file systems
   */
  public HFileLoader(Configuration conf, TableName table, byte[] family) {
    Codecs.install();
    this.conf = new Configuration(conf);
    this.conf.setInt(MAX_FILES, Integer.MAX_VALUE);
    this.table = table;
    this.family = family;
  }

  /**
   * Loads all that waits in the directory.
   *
   * @throws IOException when a file cannot be read or HBase does not take it; those that wait can
   *     be loaded later
   */
  public Loaded load(HFileDir dir) throws IOException {
    try {
      return take(dir, dir.waiting());
    } catch (IOException e) {
      throw refused(dir, e);
    }
  }

  /**
   * Loads these files.
   *
   * @param names of finished files in the directory
   * @throws IOException as {@link #load(HFileDir)}
   */
  public Loaded load(HFileDir dir, List<String> names) throws IOException {
    try {
      return take(dir, dir.finished(names));
    } catch (IOException e) {
      throw refused(dir, e);
    }
  }

  private Loaded take(HFileDir dir, List<FileStatus> files) throws IOException {
    long cells = 0;
    long bytes = 0;
    List<Path> paths = new ArrayList<>();
    for (FileStatus file : files) {
      cells += cells(dir, file.getPath());
      bytes += file.getLen();
      paths.add(file.getPath());
    }
    if (!paths.isEmpty()) {
      Map<byte[], List<Path>> families = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      families.put(family, paths);
      BulkLoadHFiles.create(conf).bulkLoad(table, families);
    }
    for (Path path : paths) {
      dir.files().delete(path, false);
    }
    return new Loaded(paths.size(), cells, bytes);
  }

  private IOException refused(HFileDir dir, IOException e) {
    return new IOException(
        "table "
            + table
            + ": HBase did not take the HFiles in "
            + dir.path()
            + ": "
            + e.getMessage(),
        e);
  }

  private long cells(HFileDir dir, Path file) throws IOException {
    try (HFile.Reader reader =
        HFile.createReader(dir.files(), file, CacheConfig.DISABLED, true, conf)) {
      return reader.getEntries();
    }
  }
}
