package io.tsdbsuite.meta.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentBlocksTest {
  private final RecentBlocks recent = new RecentBlocks(16);

  private static Block block(int stripe) {
    return new Block(BlockKey.of(7, 15, 20, stripe), 10, 2, false);
  }

  @Test
  void findsTheBlockOfAKey() {
    Block block = block(3);
    recent.add(block);
    assertThat(recent.get(block.key())).isSameAs(block);
    assertThat(recent.get(BlockKey.of(8, 15, 20, 3))).isNull();
    assertThat(recent.get(BlockKey.of(7, 16, 20, 3))).isNull();
    assertThat(recent.get(BlockKey.of(7, 15, 21, 3))).isNull();
    assertThat(recent.get(BlockKey.of(7, 15, 20, 4))).isNull();
  }

  @Test
  void aBlockStaysUntilItsEndAndNoLonger() {
    Block block = block(3);
    recent.add(block);
    Block successor = block(3);
    recent.add(successor);
    assertThat(recent.get(block.key())).isSameAs(block);
    block.end();
    assertThat(recent.get(block.key())).isNull();
    recent.remove(block);
    recent.add(successor);
    assertThat(recent.get(block.key())).isSameAs(successor);
    // Of a thread that was late.
    recent.remove(block);
    assertThat(recent.get(block.key())).isSameAs(successor);
  }

  @Test
  void aBlockThatEndsBeforeItIsAddedLeavesItsPlaceFree() {
    Block block = block(3);
    block.end();
    recent.add(block);
    Block successor = block(3);
    recent.add(successor);
    assertThat(recent.get(block.key())).isSameAs(successor);
  }

  @Test
  void mostBlocksHaveAPlace() {
    RecentBlocks many = new RecentBlocks(4096);
    int found = 0;
    for (int stripe = 0; stripe < 4096; stripe++) {
      Block block = block(stripe);
      many.add(block);
      found += many.get(block.key()) == block ? 1 : 0;
    }
    assertThat(found).isGreaterThan(4096 / 5 * 4);
  }
}
