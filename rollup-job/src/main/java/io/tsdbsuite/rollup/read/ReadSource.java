package io.tsdbsuite.rollup.read;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;

/**
 * Where HFiles are read from and by what rules.
 *
 * @param conf Hadoop's and HBase's configuration
 * @param fileSystem that has the HFiles
 * @param family versions, TTL and encodings of the column family
 */
public record ReadSource(
    Configuration conf, FileSystem fileSystem, ColumnFamilyDescriptor family) {}
