package io.tsdbsuite.bulk.uid;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UidCacheTest {
  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8})
  void answersAsAMapDoes(int width) {
    long seed = Seed.VALUE;
    System.out.println("UidCacheTest seed " + seed);
    Random random = new Random(seed);
    UidCache cache = new UidCache(width);
    Map<String, byte[]> model = new HashMap<>();
    for (int i = 0; i < 30_000; i++) {
      String name = name(random);
      if (model.containsKey(name)) {
        assertThat(cache.get(bytes(name))).isEqualTo(model.get(name));
        continue;
      }
      assertThat(cache.get(bytes(name))).isNull();
      byte[] uid = new byte[width];
      random.nextBytes(uid);
      cache.put(bytes(name), uid);
      model.put(name, uid);
    }
    assertThat(cache.size()).isEqualTo(model.size());
    model.forEach((name, uid) -> assertThat(cache.get(bytes(name))).isEqualTo(uid));
  }

  /** Short ones come again; a few are as long as a block can just hold several of. */
  private static String name(Random random) {
    int length = random.nextInt(1000) == 0 ? 32_767 : 1 + random.nextInt(12);
    StringBuilder name = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      name.append((char) (length < 4 ? 'a' + random.nextInt(8) : random.nextInt(256)));
    }
    return name.toString();
  }

  @Test
  void aNameOfTwentyBytesTakesUnderForty() {
    UidCache cache = new UidCache(3);
    for (int i = 0; i < 1_000_000; i++) {
      cache.put(bytes(String.format("sensor.of.me.%07d", i)), Uids.bytes(i, 3));
    }
    assertThat(cache.bytes() / 1_000_000.0).isBetween(28.0, 40.0);
    assertThat(cache.get(bytes("sensor.of.me.0999999"))).isEqualTo(Uids.bytes(999_999, 3));
    assertThat(cache.get(bytes("sensor.of.me.1000000"))).isNull();
  }
}
