package io.tsdbsuite.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GlobTest {
  @Test
  void onlyTheWildcardsAreSpecial() {
    assertThat(new Glob("a.*[x]?").matches("a.bc[x]d")).isTrue();
    assertThat(new Glob("a.*[x]?").matches("aXbc[x]d")).isFalse();
    assertThat(new Glob("a?").matches("a")).isFalse();
    assertThat(new Glob("*").matches("")).isTrue();
    assertThat(new Glob("\\E*").matches("\\Ex")).isTrue();
  }
}
