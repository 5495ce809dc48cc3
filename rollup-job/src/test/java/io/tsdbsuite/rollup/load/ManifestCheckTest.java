package io.tsdbsuite.rollup.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Two clusters with one configuration: the UIDs of one are other series in the other. */
class ManifestCheckTest {
  @Test
  void theClusterOfTheRunMayLoadIt() {
    assertThat(LoadCheck.cluster("a", "", "a")).isEmpty();
    assertThat(LoadCheck.cluster("a", "a", "a")).isEmpty();
  }

  @Test
  void anotherClusterMayNot() {
    assertThat(LoadCheck.cluster("a", "", "b"))
        .containsExactly(
            "the HBase cluster must be the one for whose tables the run was made, a, found b");
  }

  /** With --target-snapshot the run does not know its cluster; the first load decides. */
  @Test
  void aLoadThatHasBegunMustEndInTheSame() {
    assertThat(LoadCheck.cluster(null, "", "b")).isEmpty();
    assertThat(LoadCheck.cluster(null, "a", "b"))
        .containsExactly(
            "the HBase cluster must be the one that a load of this run has begun to load it into,"
                + " a, found b");
  }
}
