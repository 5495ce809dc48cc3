package io.tsdbsuite.format.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotPatternTest {
  private static final String TSDB = "tsdb";
  private static final LocalDate DAY = LocalDate.parse("2026-11-21");

  @Test
  void datesOfATable() {
    SnapshotPattern names = SnapshotPattern.parse("{table}-{date}");
    assertThat(names.date(TSDB, "tsdb-20261121")).contains(DAY);
    assertThat(names.date(TSDB, "tsdb-uid-20261121")).isEmpty();
    assertThat(names.date(TSDB, "tsdb-20261131")).isEmpty();
    assertThat(names.date(TSDB, "tsdb-20261121-b")).isEmpty();
    assertThat(names.date(TSDB, "xtsdb-20261121")).isEmpty();
    assertThat(names.name(TSDB, DAY)).isEqualTo("tsdb-20261121");
  }

  @Test
  void tablesInANamespaceAndDotsInPatterns() {
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
