package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** Points by metric and day of the report of a load, whose sums must be all accepted points. */
final class ReportedPoints {
  private ReportedPoints() {}

  /** Checks a report, and makes a page of it. */
  static void check(Path file, Iterable<String> metrics) throws IOException {
    JsonNode report = new ObjectMapper().readTree(file.toFile());
    JsonNode counts = report.path("counts");
    long accepted =
        counts.path("pointsRead").asLong()
            - counts.path("pointsSkipped").asLong()
            - counts.path("pointsRejected").asLong();
    JsonNode points = report.path("points");
    assertThat(points.path("accepted").asLong()).as(report.toString()).isEqualTo(accepted);

    long byTime = 0;
    for (JsonNode day : points.at("/byTime/points")) {
      byTime += day.asLong();
    }
    assertThat(byTime).as(points.toString()).isEqualTo(accepted);

    long byMetric = points.at("/byMetric/others").asLong();
    Set<String> names = new TreeSet<>();
    for (JsonNode entry : points.at("/byMetric/largest")) {
      byMetric += entry.path("points").asLong();
      names.add(entry.path("metric").asText());
    }
    assertThat(byMetric).as(points.toString()).isEqualTo(accepted);
    assertThat(names).containsExactlyInAnyOrderElementsOf(metrics);
    assertThat(points.at("/byMetric/exact").asBoolean()).isTrue();

    Path page = file.resolveSibling("page.html");
    Loader.Outcome made = Loader.run("report-page", "--report=" + file, "--page=" + page);
    assertThat(made.code()).as(made.err()).isEqualTo(ExitCode.DONE);
    assertThat(page).content().contains(metrics).endsWith("</html>\n");
  }
}
