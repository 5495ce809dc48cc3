package io.tsdbsuite.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReportTest {
  private final Report report = new Report("make bench-x");

  @Test
  void aSectionHasHeadAimsAndTables() {
    report.fact("Medians of %d rounds", 3);
    report.table("Way | ms");
    report.row("ours | %,.1f", 1234.56);
    report.table("Parts");
    report.row("none");
    report.atMost("time over the peer's", "x", 2, 1.07);
    report.atLeast("rows", "", 100, 99.999);
    assertThat(report.section())
        .startsWith("Command: `make bench-x`, ")
        .contains(" after. Medians of 3 rounds.\n\n| Aim |")
        .endsWith(
            """
            | Aim | Limit | Found, worst case | Holds |
            | --- | --- | --- | --- |
            | time over the peer's | at most 2x | 1.07x | yes |
            | rows | at least 100 | 100 | no |

            | Way | ms |
            | --- | --- |
            | ours | 1,234.6 |

            | Parts |
            | --- |
            | none |
            """);
  }

  @Test
  void withoutAimsThereIsNoTableOfThem() {
    report.table("Way | ms");
    assertThat(report.section()).endsWith(" after.\n\n| Way | ms |\n| --- | --- |\n");
  }
}
