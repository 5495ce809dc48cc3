package io.tsdbsuite.rollup.tiers.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ApplyReportTest {
  private static final Instant DAY = Instant.parse("2025-10-28T00:00:00Z");
  private static final String SHA = "0123456789abcdef".repeat(4);

  private static Report report(String table, ProvenName of, boolean isLast) {
    return report(table, of, isLast, null).report();
  }

  private static ApplyReport report(
      String table, ProvenName of, boolean isLast, ApplyReport.@Nullable Packed packed) {
    ApplyReport.Fates fates = new ApplyReport.Fates(7, 2, 1, 0);
    return new ApplyReport(
        ExitCode.DONE,
        "",
        DAY,
        DAY,
        table,
        List.of(new ApplyReport.Planned(of, 10, "")),
        List.of(),
        List.of(new ApplyReport.Day(of, 10, 8, 1, fates, new TreeMap<>(), isLast, packed, false)));
  }

  @Test
  void packedRowsHaveBooksOfTheirOwn() {
    ProvenName day = new ProvenName("app.*", "1h", DAY, -1, SHA);
    ApplyReport.Fates fates = new ApplyReport.Fates(6, 4, 0, 0);
    ApplyReport report =
        report("tsdb-1h", day, false, new ApplyReport.Packed("packed-1h", 6, 2, fates));
    assertThat(report.booksClose()).isTrue();
    assertThat(report.report().json().at("/days/0/packed").toString())
        .isEqualTo(
            "{\"table\":\"packed-1h\",\"markers\":6,\"filesLoaded\":2,\"rows\":{\"planned\":10,"
                + "\"deleted\":6,\"alreadyGone\":4,\"keptForNewerCells\":0}}");
    assertThat(report.report().table().toString()).contains("packed rows of packed-1h");
    fates = new ApplyReport.Fates(6, 3, 0, 0);
    assertThat(
            report("tsdb-1h", day, false, new ApplyReport.Packed("packed-1h", 6, 2, fates))
                .booksClose())
        .isFalse();
  }

  @Test
  void theLastTierIsNamed() {
    ProvenName day = new ProvenName("app.*", "1d", DAY, -1, SHA);
    assertThat(report("tsdb-1d", day, true).table().toString())
        .contains("2025-10-28, proof 0123456789abcdef: nothing coarser is kept");
    Report other = report("tsdb-1d", day, false);
    assertThat(other.table().toString()).doesNotContain("coarser");
    assertThat(other.json().get("planned").toString())
        .isEqualTo(
            "[{\"match\":\"app.*\",\"day\":\"2025-10-28\",\"proof\":\""
                + SHA
                + "\",\"rows\":10,\"state\":\"\"}]");
  }

  @Test
  void idleSeriesAreOfATable() {
    ProvenName idle = new ProvenName("app.*", "1h", DAY, 3, SHA);
    Report report = report("", idle, false);
    assertThat(report.json().has("table")).isFalse();
    assertThat(report.json().get("days").toString())
        .startsWith(
            "[{\"match\":\"app.*\",\"table\":\"1h\",\"before\":\"2025-10-28\",\"series\":3,");
    assertThat(report.table().toString()).contains("1h of 3 series idle since 2025-10-28, proof");
  }
}
