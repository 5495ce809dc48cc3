package io.tsdbsuite.rollup.read;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;

/**
 * Where HFiles are read from and by what rules.
 *
 * @param conf Hadoop's and HBase's configuration
 * @param fileSystem that has the HFiles
 * @param family versions, TTL and encodings of the column family
 */
public record ReadSource(Configuration conf, FileSystem fileSystem, ColumnFamilyDescriptor family) {

  /**
   * The source that a task was sent.
   *
   * @param root of the snapshots, which gives the file system
   * @param family in HBase's serialised form
   * @throws IOException when the file system cannot be reached
   */
  public static ReadSource of(Configuration conf, String root, byte[] family) throws IOException {
    try {
      return new ReadSource(
          conf,
          new Path(root).getFileSystem(conf),
          ColumnFamilyDescriptorBuilder.parseFrom(family));
    } catch (DeserializationException e) {
      throw new IllegalStateException("a column family descriptor must survive serialisation", e);
    }
  }
}
