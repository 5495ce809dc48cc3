package io.tsdbsuite.meta.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random calls against a map of what must be so: one thread, so everything is known but which
 * series are evicted.
 */
class SeriesCacheModelTest {
  /** What the cache must know of a series, if it has it. */
  private static final class Expected {
    private final byte[] tsuid;
    private long unclaimed;
    private long taken;
    private long gone;
    private int dueAt;
    private boolean known;
    private boolean counted;
    private boolean flying;
    private boolean owed;

    /** False if the cache may have swept it away, which it does not report. */
    private boolean in;

    Expected(byte[] tsuid) {
      this.tsuid = tsuid;
    }
  }

  private final Map<String, Expected> model = new HashMap<>();
  private final List<Claim> claims = new ArrayList<>();
  private Random random;
  private SeriesCache cache;
  private boolean counting;
  private int now = 5_000;

  @ParameterizedTest(name = "seed {0}, {1} series, at most {2}, counting {3}, UIDs of {4}")
  @CsvSource({
    "1, 2000, 1000000, true, 3",
    "2, 2000, 1000000, false, 3",
    "3, 300, 100, true, 3",
    "4, 300, 100, false, 3",
    "5, 5000, 2000, true, 3",
    "6, 40, 8, true, 1",
    "7, 3, 1, true, 8",
    "8, 3000, 500, true, 4",
  })
  void doesWhatAMapWould(int seed, int series, int maxSeries, boolean counts, int uidWidth) {
    random = new Random(Seed.VALUE + seed);
    counting = counts;
    cache = new SeriesCache(new CacheSettings(maxSeries, counts, uidWidth), this::removed);
    boolean evicts = series > maxSeries;
    long touches = 0;
    for (int i = 0; i < 200_000; i++) {
      Expected one = someSeries(series, uidWidth);
      int what = random.nextInt(100);
      if (what < 70) {
        touch(one, evicts);
        touches++;
      } else if (what < 80) {
        claim(one, evicts);
      } else if (what < 90 && !claims.isEmpty()) {
        land(claims.remove(random.nextInt(claims.size())), evicts);
      } else if (what < 92) {
        owe(one, evicts);
      } else if (what < 95) {
        now += random.nextInt(3);
      } else if (i % 50 == 0) {
        sweep();
      }
      assertThat(cache.size()).isBetween(0L, maxSeries + maxSeries / 16L);
    }
    assertThat(cache.touches()).isEqualTo(touches);
    if (!evicts) {
      assertThat(cache.evictions()).isZero();
      assertThat(cache.unclaimedPoints())
          .isEqualTo(model.values().stream().mapToLong(each -> each.unclaimed).sum());
    }
    cache.drain(this::removed);
    for (Claim claim : claims) {
      assertThat(cache.giveBack(claim, now)).isFalse();
      expected(claim.tsuid()).gone += claim.points();
    }
    for (Expected each : model.values()) {
      assertThat(each.unclaimed).isZero();
      assertThat(each.owed).isFalse();
      assertThat(each.gone).isEqualTo(counting ? each.taken : 0);
    }
    assertThat(cache.touch(Tsuids.of(1, 1), now)).isEqualTo(TouchResult.CLOSED);
    assertThat(cache.size()).isZero();
  }

  /** Some have one tag, some three; series of few metrics, some with many. */
  private Expected someSeries(int series, int uidWidth) {
    int number = random.nextInt(series);
    int tags = 1 + number % 3;
    byte[] tsuid = new byte[uidWidth + tags * (1 + uidWidth)];
    tsuid[uidWidth - 1] = (byte) (number % 5 == 0 ? number % 50 : 1);
    tsuid[tsuid.length - 1] = (byte) number;
    tsuid[tsuid.length - 2] = (byte) (number >>> 8);
    return model.computeIfAbsent(name(tsuid), any -> new Expected(tsuid));
  }

  private static String name(byte[] tsuid) {
    return HexFormat.of().formatHex(tsuid);
  }

  private Expected expected(byte[] tsuid) {
    return model.get(name(tsuid));
  }

  private void touch(Expected one, boolean evicts) {
    long misses = cache.misses();
    TouchResult answer = cache.touch(one.tsuid, now);
    boolean missed = cache.misses() > misses;
    one.taken++;
    one.unclaimed += counting ? 1 : 0;
    if (missed) {
      assertThat(evicts || !one.in).isTrue();
      // Its points were handed over before; this one may have been, too.
      assertThat(one.unclaimed).isBetween(0L, 1L);
      assertThat(one.owed).isFalse();
      one.flying = false;
      one.known = false;
      one.counted = false;
      one.dueAt = now;
    }
    one.in = true;
    boolean due = !one.flying && now >= one.dueAt;
    assertThat(answer).isEqualTo(due ? TouchResult.DUE : TouchResult.FRESH);
  }

  private void removed(byte[] tsuid, long points) {
    Expected one = expected(tsuid);
    assertThat(counting || points == 0).isTrue();
    assertThat(points > 0 || one.owed).isTrue();
    one.owed = false;
    one.unclaimed -= points;
    one.gone += points;
  }

  private void claim(Expected one, boolean evicts) {
    Claim claim = cache.claim(one.tsuid, now);
    boolean due = !one.flying && now >= one.dueAt;
    if (claim == null) {
      assertThat(evicts || !one.in || !due).isTrue();
      return;
    }
    assertThat(due).isTrue();
    assertThat(claim.points()).isEqualTo(one.unclaimed);
    assertThat(claim.known()).isEqualTo(one.known);
    assertThat(claim.counted()).isEqualTo(one.counted);
    one.unclaimed = 0;
    one.owed = false;
    one.flying = true;
    claims.add(claim);
  }

  private void land(Claim claim, boolean evicts) {
    Expected one = expected(claim.tsuid());
    int dueAt = now + random.nextInt(random.nextBoolean() ? 10 : 30 * 24 * 3600);
    if (random.nextBoolean()) {
      boolean known = random.nextBoolean();
      boolean counted = random.nextBoolean();
      cache.settle(claim, dueAt, known, counted);
      one.gone += claim.points();
      one.known = known;
      one.counted = counted;
    } else if (cache.giveBack(claim, dueAt)) {
      one.unclaimed += claim.points();
      one.owed = true;
    } else {
      assertThat(evicts).isTrue();
      one.gone += claim.points();
    }
    one.flying = false;
    one.dueAt = dueAt;
  }

  private void owe(Expected one, boolean evicts) {
    boolean due = !one.flying && now >= one.dueAt;
    if (cache.owe(one.tsuid, now)) {
      one.owed |= due;
    } else {
      assertThat(evicts || !one.in).isTrue();
    }
  }

  private void sweep() {
    int idleSince = now - 100;
    cache.sweep(
        random.nextInt(10),
        now,
        idleSince,
        tsuid -> {
          Expected one = expected(tsuid);
          assertThat(one.unclaimed > 0 || one.owed).isTrue();
          assertThat(one.flying).isFalse();
          assertThat(now).isGreaterThanOrEqualTo(one.dueAt);
          return random.nextInt(20) > 0;
        });
    for (Expected each : model.values()) {
      if (each.unclaimed == 0 && !each.owed && !each.flying && each.dueAt <= idleSince) {
        // It may have been dropped; the next touch tells.
        each.in = false;
      }
    }
  }
}
