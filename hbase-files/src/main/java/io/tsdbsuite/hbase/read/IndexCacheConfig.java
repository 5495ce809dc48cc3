package io.tsdbsuite.hbase.read;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;

/**
 * Rules for a cache of index blocks. The hbase-site.xml of a region server can ask for a prefetch,
 * by which a pool of threads reads each opened file completely: a scan reads parts, by one thread.
 */
final class IndexCacheConfig extends CacheConfig {
  IndexCacheConfig(Configuration conf, BlockCache cache) {
    super(conf, cache);
  }

  @Override
  public boolean shouldPrefetchOnOpen() {
    return false;
  }
}
