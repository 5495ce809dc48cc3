package io.tsdbsuite.format.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RegionRangesTest {
  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Regions as {@code start-end}, in this order. */
  private static OptionalInt problem(String... regions) {
    List<byte[]> starts = new ArrayList<>();
    List<byte[]> ends = new ArrayList<>();
    for (String region : regions) {
      int hyphen = region.indexOf('-');
      starts.add(key(region.substring(0, hyphen)));
      ends.add(key(region.substring(hyphen + 1)));
    }
    return RegionRanges.firstProblem(starts, ends);
  }

  @Test
  void holesAndOverlaps() {
    assertThat(problem("-")).isEmpty();
    assertThat(problem("-d", "d-m", "m-")).isEmpty();
    assertThat(problem()).hasValue(0);
    assertThat(problem("d-")).hasValue(0);
    assertThat(problem("-d", "e-")).hasValue(1);
    assertThat(problem("-d", "c-")).hasValue(1);
    assertThat(problem("-", "d-")).hasValue(1);
    assertThat(problem("-", "-")).hasValue(1);
    assertThat(problem("-d", "d-m")).hasValue(2);
  }

  @Test
  void whichRegionsHaveRows() {
    byte[] mob = key(".mob");
    assertThat(RegionRanges.isLive(7, key("a"), false, 0)).isTrue();
    assertThat(RegionRanges.isLive(7, mob, false, 0)).isTrue();
    assertThat(RegionRanges.isLive(0, mob, false, 0)).isFalse();
    assertThat(RegionRanges.isLive(7, key("a"), true, 0)).isFalse();
    assertThat(RegionRanges.isLive(7, key("a"), false, 1)).isFalse();
  }

  @Test
  void keysAreUnsigned() {
    List<byte[]> keys =
        new ArrayList<>(
            Arrays.asList(new byte[] {-1}, new byte[] {1, 0}, new byte[] {1}, new byte[0]));
    keys.sort(RegionRanges.BY_KEY);
    assertThat(keys)
        .containsExactly(new byte[0], new byte[] {1}, new byte[] {1, 0}, new byte[] {-1});
  }
}
