package io.tsdbsuite.rollup.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotNamesTest {
  private static final TableName TSDB = TableName.valueOf("tsdb");
  private static final LocalDate DAY = LocalDate.parse("2026-11-21");

  private static SnapshotNames names(String pattern) {
    return SnapshotNames.parse("--snapshot-pattern", pattern);
  }

  @Test
  void datesOfATable() {
    SnapshotNames names = names("{table}-{date}");
    assertThat(names.date(TSDB, "tsdb-20261121")).isEqualTo(DAY);
    assertThat(names.date(TSDB, "tsdb-uid-20261121")).isNull();
    assertThat(names.date(TSDB, "tsdb-20261131")).isNull();
    assertThat(names.date(TSDB, "tsdb-20261121-b")).isNull();
    assertThat(names.date(TSDB, "xtsdb-20261121")).isNull();
    assertThat(names.name(TSDB, DAY)).isEqualTo("tsdb-20261121");
  }

  @Test
  void tablesInANamespaceAndDotsInPatterns() {
    TableName table = TableName.valueOf("ns:tsdb");
    SnapshotNames names = names("n.{date}.{table}");
    assertThat(names.name(table, DAY)).isEqualTo("n.20261121.ns-tsdb");
    assertThat(names.date(table, "n.20261121.ns-tsdb")).isEqualTo(DAY);
    assertThat(names.date(table, "nx20261121.ns-tsdb")).isNull();
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
    assertThatThrownBy(() -> names(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--snapshot-pattern must have {table} and {date}, each once, and otherwise only"
                + " letters, digits and _-., found: "
                + pattern);
  }
}
