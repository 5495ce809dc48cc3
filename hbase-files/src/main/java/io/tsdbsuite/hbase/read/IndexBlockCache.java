package io.tsdbsuite.hbase.read;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.jspecify.annotations.Nullable;

/**
 * A block cache for index blocks below the root. It drops the blocks used longest ago. Data blocks
 * are not kept, because a scan reads each once. HBase's IndexOnlyLruBlockCache does the same but
 * starts two threads, which cost more CPU than all else that opens a small HFile. For one thread.
 */
final class IndexBlockCache implements BlockCache {
  private static final CacheStats NO_STATS = new CacheStats("index blocks");

  private final long maxBytes;
  private final Map<BlockCacheKey, Cacheable> blocks = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /**
   * @param maxBytes maximum heap size of the blocks, bytes
   */
  IndexBlockCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    if (!isMetaBlock(block.getBlockType()) || blocks.containsKey(key)) {
      return;
    }
    blocks.put(key, block.retain());
    bytes += block.heapSize();
    Iterator<Cacheable> oldest = blocks.values().iterator();
    while (bytes > maxBytes && blocks.size() > 1) {
      Cacheable dropped = oldest.next();
      oldest.remove();
      drop(dropped);
    }
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory) {
    cacheBlock(key, block);
  }

  @Override
  public @Nullable Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    Cacheable block = blocks.get(key);
    return block == null ? null : block.retain();
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    Cacheable block = blocks.remove(key);
    if (block == null) {
      return false;
    }
    drop(block);
    return true;
  }

  private void drop(Cacheable block) {
    bytes -= block.heapSize();
    boolean unused = block.release();
  }

  @Override
  public int evictBlocksByHfileName(String hfileName) {
    int before = blocks.size();
    blocks
        .entrySet()
        .removeIf(
            entry -> {
              boolean remove = Objects.equals(entry.getKey().getHfileName(), hfileName);
              if (remove) {
                drop(entry.getValue());
              }
              return remove;
            });
    return before - blocks.size();
  }

  @Override
  public CacheStats getStats() {
    return NO_STATS;
  }

  @Override
  public void shutdown() {
    blocks.values().forEach(Cacheable::release);
    blocks.clear();
    bytes = 0;
  }

  @Override
  public long size() {
    return maxBytes;
  }

  @Override
  public long getMaxSize() {
    return maxBytes;
  }

  @Override
  public long getFreeSize() {
    return Math.max(0, maxBytes - bytes);
  }

  @Override
  public long getCurrentSize() {
    return bytes;
  }

  @Override
  public long getCurrentDataSize() {
    return 0;
  }

  @Override
  public long getBlockCount() {
    return blocks.size();
  }

  @Override
  public long getDataBlockCount() {
    return 0;
  }

  @Override
  public Iterator<CachedBlock> iterator() {
    // For pages about a region server's cache.
    return Collections.emptyIterator();
  }

  @Override
  public BlockCache @Nullable [] getBlockCaches() {
    return null;
  }
}
