package io.tsdbsuite.stream.series;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The hash is part of the state's format: it must not change. */
class SeriesHashTest {
  private final Random random = Seed.random();

  @Test
  void itIsThatOfMurmur3ForEveryLength() {
    SeriesHash hash = SeriesHash.murmur3();
    for (int length = 0; length <= 300; length++) {
      byte[] names = new byte[length];
      random.nextBytes(names);
      assertThat(hash.of(names))
          .as("%d bytes", length)
          .isEqualTo(Hashing.murmur3_128().hashBytes(names).asLong());
    }
  }
}
