package io.tsdbsuite.rollup.plan.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RegionJobTest {
  private final RegionJob.Results<String> results = new RegionJob.Results<>(3);

  @Test
  void partsMayComeInAnyOrder() {
    results.add(1, List.of("b", "c"));
    results.add(0, List.of("a"));
    assertThat(results.inOrder()).containsExactly("a", "b", "c");
  }

  @Test
  void aMissingRegionIsAnError() {
    results.add(0, List.of("a"));
    results.add(2, List.of("c"));
    assertThatThrownBy(results::inOrder).hasMessageContaining("found none of 1");
  }
}
