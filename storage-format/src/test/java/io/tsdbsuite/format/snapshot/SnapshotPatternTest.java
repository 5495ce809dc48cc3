package io.tsdbsuite.format.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotPatternTest {
  private static final LocalDate DAY = LocalDate.parse("2026-11-21");

  /** rollup-aws has the same rule, and is tested with the same names. */
  @ParameterizedTest
  @CsvFileSource(resources = "/snapshot-names.txt", delimiter = '|')
  void names(String pattern, String table, String name, String date) {
    SnapshotPattern names = SnapshotPattern.parse(pattern);
    if (date.equals("-")) {
      assertThat(names.date(table, name)).isEmpty();
    } else {
      LocalDate day = LocalDate.parse(date);
      assertThat(names.date(table, name)).contains(day);
      assertThat(names.name(table, day)).isEqualTo(name);
    }
  }

  @Test
  void theDateBeforeTheTable() {
    String table = "ns:tsdb";
    SnapshotPattern names = SnapshotPattern.parse("n.{date}.{table}");
    assertThat(names.name(table, DAY)).isEqualTo("n.20261121.ns-tsdb");
    assertThat(names.date(table, "n.20261121.ns-tsdb")).contains(DAY);
    assertThat(names.date(table, "nx20261121.ns-tsdb")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{table}",
        "{date}",
        "{table}{date}{date}",
        "-{table}{date}",
        "a/{table}{date}"
      })
  void wrongPatterns(String pattern) {
    assertThatThrownBy(() -> SnapshotPattern.parse(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "must have {table} and {date}, each once, and otherwise only letters, digits and _-.");
  }
}
