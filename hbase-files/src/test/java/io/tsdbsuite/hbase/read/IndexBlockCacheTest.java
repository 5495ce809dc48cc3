package io.tsdbsuite.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializer;
import org.junit.jupiter.api.Test;

class IndexBlockCacheTest {
  private final IndexBlockCache cache = new IndexBlockCache(100);

  @Test
  void keepsWhatWasUsedLast() {
    Block first = put("a", 1, 40);
    Block second = put("a", 2, 40);
    assertThat(get("a", 1)).isSameAs(first);
    Block third = put("a", 3, 40);
    assertThat(get("a", 2)).isNull();
    assertThat(get("a", 1)).isSameAs(first);
    assertThat(get("a", 3)).isSameAs(third);
    assertThat(second.references).isEqualTo(1);
    assertThat(cache.getCurrentSize()).isEqualTo(80);
  }

  @Test
  void keepsOneBlockThatIsTooLarge() {
    put("a", 1, 40);
    Block large = put("a", 2, 400);
    assertThat(get("a", 2)).isSameAs(large);
    assertThat(cache.getBlockCount()).isEqualTo(1);
  }

  @Test
  void keepsNoDataBlock() {
    Block data = new Block(BlockType.DATA, 1);
    cache.cacheBlock(new BlockCacheKey("a", 1), data);
    assertThat(get("a", 1)).isNull();
    assertThat(data.references).isEqualTo(1);
  }

  @Test
  void dropsTheBlocksOfAFile() {
    Block a = put("a", 1, 10);
    Block b = put("b", 1, 20);
    assertThat(cache.evictBlocksByHfileName("a")).isEqualTo(1);
    assertThat(a.references).isEqualTo(1);
    assertThat(get("b", 1)).isSameAs(b);
    cache.shutdown();
    assertThat(cache.getBlockCount()).isZero();
    assertThat(b.references).as("of its creator and of get").isEqualTo(2);
  }

  private Block put(String file, long offset, int size) {
    Block block = new Block(BlockType.LEAF_INDEX, size);
    cache.cacheBlock(new BlockCacheKey(file, offset), block, false);
    return block;
  }

  private Cacheable get(String file, long offset) {
    return cache.getBlock(new BlockCacheKey(file, offset), true, false, true);
  }

  /** A block of a size, which counts its references; its creator has one. */
  private static final class Block implements Cacheable {
    private final BlockType type;
    private final int size;
    private int references = 1;

    Block(BlockType type, int size) {
      this.type = type;
      this.size = size;
    }

    @Override
    public long heapSize() {
      return size;
    }

    @Override
    public int getSerializedLength() {
      return size;
    }

    @Override
    public void serialize(ByteBuffer destination, boolean includeNextBlockMetadata) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CacheableDeserializer<Cacheable> getDeserializer() {
      throw new UnsupportedOperationException();
    }

    @Override
    public BlockType getBlockType() {
      return type;
    }

    @Override
    public Cacheable retain() {
      references++;
      return this;
    }

    @Override
    public boolean release() {
      references--;
      return references == 0;
    }
  }
}
