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
 * Bulk loads finished HFiles with HBase's own tool, which splits the files of regions that were
 * split meanwhile. A load can be repeated after any failure: loaded files are removed, and a file
 * that is loaded twice has the same cells.
 *
 * <p>On HDFS HBase moves a file; on S3 and local disks it copies the file twice, into its staging
 * directory and from there into the region.
 */
public final class HFileLoader {
  /** Limit of files for one region; a region has one file from each writer. */
  private static final String MAX_FILES = "hbase.mapreduce.bulkload.max.hfiles.perRegion.perFamily";

  /**
   * The result of a load.
   *
   * @param files number of HFiles
   * @param cells number of cells in the files
   * @param bytes size of the files
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
   * Loads all waiting files of the directory.
   *
   * @throws IOException when a file cannot be read or HBase refuses it; the waiting files can be
   *     loaded later
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
        "table %s: HBase did not take the HFiles in %s: %s"
            .formatted(table, dir.path(), e.getMessage()),
        e);
  }

  private long cells(HFileDir dir, Path file) throws IOException {
    try (HFile.Reader reader =
        HFile.createReader(dir.files(), file, CacheConfig.DISABLED, true, conf)) {
      return reader.getEntries();
    }
  }
}
