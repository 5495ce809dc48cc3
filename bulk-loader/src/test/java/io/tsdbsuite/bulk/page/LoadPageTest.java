package io.tsdbsuite.bulk.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.PointsByMetric;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.RejectSample;
import io.tsdbsuite.bulk.report.SkipKind;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.job.ExitCode;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class LoadPageTest {
  private static final Instant START = Instant.parse("2026-11-23T12:00:00Z");
  private static final String HOSTILE =
      "</title></style></text><script>alert(1)</script><img src=x onerror=alert(2)>\" ' & \u0000"
          + "\u001b[31m\u202e\ud800 ]]> \ud83d\ude00";
  private static final String SHOWN =
      HOSTILE
          .replace("\u0000", "\\u0000")
          .replace("\u001b", "\\u001b")
          .replace("\u202e", "\\u202e")
          .replace("\ud800", "\\ud800");

  private static BulkLoaderReport report(String name) {
    Tally tally = new Tally();
    tally.add(Count.POINTS_READ, 1_000_100);
    tally.add(Count.POINTS_WRITTEN, 1_000_000);
    tally.add(Count.BYTES_READ, 50_000_000);
    tally.reject(RejectReason.BAD_VALUE, 60);
    tally.skip(SkipKind.NAN, 40);
    LocalDate day = LocalDate.of(2026, 1, 1);
    for (int i = 0; i < 300; i++) {
      if (i < 100 || i > 103) {
        tally.accept((int) day.plusDays(i).toEpochDay(), 2_000 + 10 * (i % 70));
      }
    }
    PointsByMetric metrics = new PointsByMetric();
    metrics.add(name, 500_000);
    for (int i = 0; i < 60; i++) {
      metrics.add("sys.cpu.user." + i, 16_000 / (i + 1));
    }
    return new BulkLoaderReport("load", START)
        .writing("put", "1795428000000")
        .inputs(List.of(new BulkLoaderReport.Input(name, 7)))
        .tally(tally)
        .metrics(metrics)
        .rejects(
            List.of(new RejectSample(RejectReason.BAD_VALUE, name, 7, "a rule: " + name, name)),
            List.of("work/rejected.txt"))
        .uids("metrics", 61)
        .phase("read", Duration.ofMillis(5200))
        .phase("write", Duration.ofMillis(3100))
        .warn(name);
  }

  private static String page(BulkLoaderReport report, String option) throws Exception {
    String json = report.report("0.1.0", List.of("--mode=put", option)).jsonText();
    return LoadPage.of(new ObjectMapper().readTree(json));
  }

  private static Document parsed(String page) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(page)));
  }

  private static List<Element> elements(Document page, String name) {
    NodeList found = page.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  private static List<String> texts(Document page, String name) {
    return elements(page, name).stream().map(Element::getTextContent).toList();
  }

  @Test
  void foreignTextsAreShownAndNeverMarkup() throws Exception {
    BulkLoaderReport report =
        report(HOSTILE).end(ExitCode.BAD_INPUT, HOSTILE, "", START.plusSeconds(9));
    String html = page(report, HOSTILE);

    Document page = parsed(html);
    assertThat(elements(page, "script")).isEmpty();
    assertThat(elements(page, "img")).isEmpty();
    assertThat(html).doesNotContain("<script").doesNotContain("<img");
    assertThat(texts(page, "td")).contains(SHOWN, SHOWN + ":7", "a rule: " + SHOWN);
    assertThat(texts(page, "td")).contains("--mode=put\n" + SHOWN);
    assertThat(texts(page, "p")).contains(SHOWN, "Warning: " + SHOWN);
    assertThat(texts(page, "title")).contains(SHOWN);
  }

  @Test
  void loadsNothingAndForbidsScripts() throws Exception {
    String html = page(report("m").end(ExitCode.DONE, "", "", START), "--x");
    assertThat(html.replace("http://www.w3.org/1999/xhtml", ""))
        .doesNotContain("http:")
        .doesNotContain("https:")
        .doesNotContain("src=")
        .doesNotContain("href")
        .doesNotContain("@import")
        .doesNotContain("url(")
        .contains("default-src 'none'; style-src 'unsafe-inline'\"");
  }

  @Test
  void plotsArePointsByDayByMetricAndByReason() throws Exception {
    BulkLoaderReport report = report("a.metric").closed(null, START.plusSeconds(9));
    assertThat(report.booksClose()).isTrue();
    String html = page(report, "--x");
    Files.writeString(Path.of("target", "load-page.html"), html);
    Document page = parsed(html);

    List<Element> plots = elements(page, "svg");
    assertThat(plots.stream().map(plot -> plot.getAttribute("aria-label")))
        .containsExactly(
            "points rejected by reason and skipped by kind",
            "points by day",
            "points by metric",
            "seconds of each phase");
    assertThat(plots.get(1).getElementsByTagName("rect").getLength()).isEqualTo(300);
    // The 20 largest, and the others.
    assertThat(plots.get(2).getElementsByTagName("rect").getLength()).isEqualTo(21);
    assertThat(texts(page, "title"))
        .contains(
            "2026-01-01: 2,000 points",
            "2026-04-11: 0 points",
            "a.metric: 500,000",
            "rejected: badValue: 60",
            "skipped: nan: 40");
    assertThat(texts(page, "p"))
        .contains("Without points: 2026-04-11 to 2026-04-14.")
        .contains("61 metrics; the largest are shown.");
    assertThat(texts(page, "b")).contains("done", "1,000,100", "1,000,000", "60", "9 s");
    Element first = (Element) plots.get(2).getElementsByTagName("rect").item(0);
    Element second = (Element) plots.get(2).getElementsByTagName("rect").item(1);
    assertThat(Double.parseDouble(first.getAttribute("width"))).isEqualTo(450);
    assertThat(Double.parseDouble(second.getAttribute("width"))).isEqualTo(14.4);
  }

  @Test
  void theBooksOfAnEndedLoadAreASum() throws Exception {
    Tally tally = new Tally();
    tally.add(Count.POINTS_READ, 10);
    tally.add(Count.POINTS_WRITTEN, 4);
    BulkLoaderReport report =
        new BulkLoaderReport("resume", START)
            .tally(tally)
            .end(ExitCode.OUTSIDE, "HBase is away", "", START);
    Document page = parsed(page(report, "--x"));
    assertThat(texts(page, "td")).containsSubsequence("points read", "10", "= not settled", "6");
    assertThat(texts(page, "p"))
        .contains("HBase is away")
        .contains("Not known: they are counted when all of the input has been read.");
    assertThat(texts(page, "h1")).containsExactly("Load of history: exit code 3");
  }
}
