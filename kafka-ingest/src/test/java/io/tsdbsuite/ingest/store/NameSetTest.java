package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NameSetTest {
  private static final int MOST = 10_000;

  private final NameSet names = new NameSet(MOST);

  private void add(int from, int to) {
    for (int i = from; i < to; i++) {
      names.add("host-" + i);
    }
  }

  private int known(int from, int to) {
    int known = 0;
    for (int i = from; i < to; i++) {
      known += names.contains("host-" + i) ? 1 : 0;
    }
    return known;
  }

  @Test
  void knowsWhatWasAdded() {
    assertThat(names.contains("")).isFalse();
    add(0, MOST);
    add(0, MOST);
    assertThat(known(0, MOST)).isEqualTo(MOST);
    assertThat(known(MOST, 3 * MOST)).isZero();
  }

  /** Else all names are looked up again at once. */
  @Test
  void whatIsInUseStaysWhenTheSetIsFull() {
    add(0, MOST);
    for (int round = 1; round <= 5; round++) {
      add(round * MOST, round * MOST + MOST / 2);
      assertThat(known(0, MOST / 2)).describedAs("in use, round %s", round).isEqualTo(MOST / 2);
    }
    assertThat(known(MOST / 2, MOST)).describedAs("not in use").isZero();
    assertThat(known(MOST, 2 * MOST)).describedAs("not in use").isZero();
  }

  /** Names differ in their last characters, and some only in their order. */
  @Test
  void namesThatAreAlikeAreDifferent() {
    for (char a = 'a'; a < 'a' + 64; a++) {
      names.add("" + a + (char) (a + 1));
    }
    for (char a = 'a'; a < 'a' + 64; a++) {
      assertThat(names.contains("" + (char) (a + 1) + a)).isFalse();
    }
  }
}
