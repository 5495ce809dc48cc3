package io.tsdbsuite.rollup.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MetricPatternsTest {
  @Test
  void everyMetricIsWantedByDefault() {
    assertThat(MetricPatterns.all().isAll()).isTrue();
    assertThat(MetricPatterns.all().wants("sys.cpu.user")).isTrue();
  }

  @Test
  void starsAndQuestionMarksAreWildcardsAndNothingElseIs() {
    MetricPatterns patterns = MetricPatterns.of(List.of("sys.cpu.*", "if?.bytes"));
    assertThat(patterns.wants("sys.cpu.user")).isTrue();
    assertThat(patterns.wants("if0.bytes")).isTrue();
    assertThat(patterns.wants("sysXcpu.user")).isFalse();
    assertThat(patterns.wants("if.bytes")).isFalse();
    assertThat(patterns.wants("prefix.sys.cpu.user")).isFalse();
  }

  @Test
  void exclusionsWinAndAloneLeaveAllTheRest() {
    MetricPatterns mixed = MetricPatterns.of(List.of("sys.*", "!sys.cpu.idle"));
    assertThat(mixed.wants("sys.cpu.idle")).isFalse();
    assertThat(mixed.wants("sys.cpu.user")).isTrue();
    MetricPatterns only = MetricPatterns.of(List.of("!debug.*"));
    assertThat(only.wants("debug.x")).isFalse();
    assertThat(only.wants("sys.cpu.user")).isTrue();
  }
}
