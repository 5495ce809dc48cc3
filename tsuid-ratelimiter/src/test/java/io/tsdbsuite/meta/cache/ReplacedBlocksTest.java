package io.tsdbsuite.meta.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A block that has left the cache is not asked any more, though the series was used just now. */
class ReplacedBlocksTest {
  private static final int USES = 200;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void growthAndSplits(boolean counting) {
    SeriesCache cache = cache(10_000, counting);
    byte[] used = Tsuids.of(1, 0);
    for (int now = 0; now < 1_000; now++) {
      assertThat(cache.touch(used, now)).isEqualTo(TouchResult.DUE);
      settle(cache, used, now, now + 1);
      use(cache, used, now);
      // Now and then this makes the block anew.
      cache.touch(Tsuids.of(1, now + 1), now);
    }
    assertThat(cache.blocks()).isGreaterThan(2);
    assertThat(cache.misses()).isEqualTo(1_001);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sweep(boolean counting) {
    SeriesCache cache = cache(10_000, counting);
    byte[] used = Tsuids.of(1, 0);
    cache.touch(used, 0);
    settle(cache, used, 0, 10);
    use(cache, used, 5);
    if (counting) {
      settle(cache, used, 10, 10);
    }
    while (!cache.sweep(10, 1_000, 900, tsuid -> true)) {
      assertThat(cache.size()).isPositive();
    }
    assertThat(cache.size()).isZero();
    // A state that was kept would be fresh.
    assertThat(cache.touch(used, 5)).isEqualTo(TouchResult.DUE);
    assertThat(cache.misses()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eviction(boolean counting) {
    SeriesCache cache = cache(100, counting);
    int now = 0;
    for (int metric = 0; metric < 2_000; metric++) {
      byte[] used = Tsuids.of(metric, 0);
      assertThat(cache.touch(used, now)).isEqualTo(TouchResult.DUE);
      settle(cache, used, now, now + 100_000);
      use(cache, used, now);
      now += 2;
    }
    assertThat(cache.size()).isLessThan(200);
    int held = 0;
    for (int metric = 0; metric < 2_000; metric++) {
      // Takes no room, so nothing goes meanwhile.
      held += cache.claim(Tsuids.of(metric, 0), now + 100_000) != null ? 1 : 0;
    }
    assertThat(held).isEqualTo((int) cache.size());
    long misses = cache.misses();
    for (int metric = 0; metric < 2_000; metric++) {
      cache.touch(Tsuids.of(metric, 0), now);
    }
    assertThat(cache.misses() - misses).isGreaterThanOrEqualTo(2_000 - held);
  }

  /** The ways in which a block ends between the lookup of a new series and its insertion. */
  private enum End {
    GROWTH,
    SPLIT,
    REMOVAL,
    EVICTION,
    CLOSE
  }

  @ParameterizedTest
  @EnumSource
  void anInsertionIntoABlockThatHasEndedIsRepeated(End end) {
    CacheSettings settings = new CacheSettings(10_000, true, Tsuids.METRIC_WIDTH);
    CapacityPolicy capacity = new CapacityPolicy(settings.maxSeries());
    EvictedBlocks evicted = new EvictedBlocks(Tsuids.METRIC_WIDTH);
    Blocks blocks = new Blocks(settings, capacity, evicted);
    Probe probe = new Probe(Thread.currentThread());
    int last = 1_000_000;
    int others = 0;
    Block found;
    do {
      insert(blocks, capacity, evicted, probe, others++);
      probe.load(Tsuids.of(1, last), Tsuids.METRIC_WIDTH);
      found = blocks.get(probe);
      assertThat(found).isNotNull();
    } while (found.isFull());
    switch (end) {
      case GROWTH -> blocks.compute(found.key(), (key, block) -> Rebuild.grown(block));
      case SPLIT -> {
        blocks.depths().set(found.key().metric(), Tsuids.LENGTH, 1);
        insert(blocks, capacity, evicted, probe, others++);
      }
      case EVICTION -> evictByCaffeine(blocks, found, probe);
      case REMOVAL ->
          blocks.compute(
              found.key(),
              (key, block) -> {
                evicted.add(key, block);
                return null;
              });
      case CLOSE -> blocks.close();
    }
    // Before the insertion: a point that goes into the block now is lost.
    long[] points = {0};
    evicted.handOverAll((tsuid, count) -> points[0] += count);
    probe.load(Tsuids.of(1, last), Tsuids.METRIC_WIDTH);
    blocks.get(probe);
    TouchResult answer = blocks.insert(new Insertion(probe, 0, capacity, evicted), probe, found);
    assertThat(answer).isEqualTo(end == End.CLOSE ? null : TouchResult.DUE);
    blocks.close();
    evicted.handOverAll((tsuid, count) -> points[0] += count);
    assertThat(points[0]).isEqualTo(end == End.CLOSE ? others : others + 1);
  }

  /** Puts other blocks, without points, until Caffeine drops this one. */
  private static void evictByCaffeine(Blocks blocks, Block block, Probe probe) {
    int weight = 2_000;
    Block other = new Block(block.key(), Block.slotsFor(weight), probe.words(), false);
    for (int series = 0; series < weight; series++) {
      probe.load(Tsuids.of(2, series), Tsuids.METRIC_WIDTH);
      other.insert(~other.find(probe), probe, 0);
    }
    for (int i = 0; i < 10_000 && blocks.peek(block.key()) != null; i++) {
      blocks.map().put(BlockKey.of(100 + i / 20, Tsuids.LENGTH, 0, 0), other);
    }
    assertThat(blocks.peek(block.key())).isNull();
  }

  private static void insert(
      Blocks blocks, CapacityPolicy capacity, EvictedBlocks evicted, Probe probe, int series) {
    probe.load(Tsuids.of(1, series), Tsuids.METRIC_WIDTH);
    Block block = blocks.get(probe);
    blocks.insert(new Insertion(probe, 0, capacity, evicted), probe, block);
  }

  private static SeriesCache cache(int maxSeries, boolean counting) {
    return new SeriesCache(
        new CacheSettings(maxSeries, counting, Tsuids.METRIC_WIDTH), (tsuid, points) -> {});
  }

  private static void settle(SeriesCache cache, byte[] tsuid, int now, int dueAt) {
    cache.settle(cache.claim(tsuid, now), dueAt, true, true);
  }

  private static void use(SeriesCache cache, byte[] tsuid, int now) {
    for (int i = 0; i < USES; i++) {
      assertThat(cache.touch(tsuid, now)).isEqualTo(TouchResult.FRESH);
    }
  }
}
