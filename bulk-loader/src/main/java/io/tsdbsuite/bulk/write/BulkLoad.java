package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.HFileLoader;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;

/** {@link HFileLoader} for the data table, with the failures of a load. */
public final class BulkLoad {
  private final HFileLoader loader;

  /**
   * @param conf of the HBase client and of the file systems
   */
  public BulkLoad(Configuration conf, TableName table) {
    this.loader = new HFileLoader(conf, table, TableFacts.FAMILY);
  }

  /**
   * The directory of the files of a load; see {@link HFileDir}.
   *
   * @param dir with its file system, for example {@code hdfs://nn/tmp/load}
   * @param run names the load; letters, digits and {@code _}
   * @throws JobException when the file system cannot be reached
   */
  public static HFileDir directory(Configuration conf, String dir, String run) {
    try {
      return new HFileDir(conf, dir, RowKey.FAMILY, run);
    } catch (IOException e) {
      throw JobException.outside(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Loads all that waits in the directory.
   *
   * @throws JobException when a file cannot be read or HBase does not take it; those that wait can
   *     be loaded later
   */
  public HFileLoader.Loaded load(HFileDir dir) {
    try {
      return loader.load(dir);
    } catch (IOException e) {
      throw JobException.outside(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Loads these files.
   *
   * @param names of finished files in the directory
   * @throws JobException as {@link #load(HFileDir)}
   */
  public HFileLoader.Loaded load(HFileDir dir, List<String> names) {
    try {
      return loader.load(dir, names);
    } catch (IOException e) {
      throw JobException.outside(String.valueOf(e.getMessage()), e);
    }
  }
}
