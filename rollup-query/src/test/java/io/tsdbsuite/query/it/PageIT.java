package io.tsdbsuite.query.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page of a TSD in a browser. */
@Tag("slow")
class PageIT {
  private static final long FROM = CoveredTsd.FROM;
  private static final String PAGE = "/plugin/rollup-query/";
  private static final String QUERY =
      "start=" + FROM + "&end=" + (FROM + 6 * CoveredTsd.HOUR - 1) + "&m=sum:1h-sum:q.covered";

  @Test
  void showsCoverageChecksQueriesAndAPlan() throws IOException, InterruptedException {
    CoveredTsd covered = CoveredTsd.start("page");
    int port = covered.tsd().port();
    try (Admin admin = QueryStack.hbase().connection().getAdmin()) {
      covered.claim(admin, 4);
    }
    Await.until(
        "a difference to be found",
        QueryStack.PATIENCE,
        () -> {
          RawHttp.get(port, PAGE + "api/query?" + QUERY);
          return !RawHttp.get(port, PAGE + "ui/state").text().contains("\"differences\":[]");
        });
    covered.floor(CoveredTsd.FROM);
    covered.mask(1);
    Await.until(
        "the mask to be read",
        QueryStack.PATIENCE,
        () -> RawHttp.get(port, PAGE + "ui/state").text().contains("\"kind\":\"late\""));

    Chromium chromium = new Chromium(Path.of("target", "it", "chromium"));
    String address = "http://localhost:" + port + PAGE;
    String dom = chromium.dom(address + "#metric=q.covered&" + QUERY);
    assertThat(chromium.console()).isEmpty();
    assertThat(dom).contains("answers queries at /plugin/rollup-query/api/query");
    // Two proven ranges, and the mask between them.
    assertThat(rectangles(dom, "proven")).isEqualTo(2);
    assertThat(rectangles(dom, "mask")).isEqualTo(1);
    assertThat(dom).contains("proven for q.covered");
    assertThat(text(dom, "differences")).contains("q.covered{host=a}", "page-1h", "360.0");
    assertThat(text(dom, "checks")).contains("different");
    assertThat(text(dom, "heavy")).contains("sum:1h-sum:q.covered", "answered");
    assertThat(text(dom, "refused")).isEqualTo("none");
    assertThat(text(dom, "floors")).contains("raw", "q.*", "a test");
    assertThat(text(dom, "pieces-0")).contains("1h", "raw");

    String wrong = chromium.dom(address + "#start=1h-ago&m=sum:<img src=x onerror=alert(1)>");
    assertThat(wrong).contains("400: ").doesNotContain("<img");

    // Without the slash the page's own links would lead elsewhere.
    List<String> browser = List.of("Connection: close", "Accept: text/html,*/*");
    RawHttp.Answer moved = RawHttp.ask(port, "GET", "/plugin/rollup-query", browser, new byte[0]);
    assertThat(moved.code()).isEqualTo(302);
    assertThat(moved.header("Location")).isEqualTo("rollup-query/");
    assertThat(RawHttp.get(port, PAGE + "status").text()).contains("answers queries at");
    covered.tsd().stop();
  }

  private static long rectangles(String dom, String kind) {
    return Pattern.compile("<rect [^>]*class=\"" + kind + "\"").matcher(dom).results().count();
  }

  /** The text of a table. */
  private static String text(String dom, String id) {
    Matcher table =
        Pattern.compile("<table id=\"" + id + "\">(.*?)</table>", Pattern.DOTALL).matcher(dom);
    assertThat(table.find()).as(id).isTrue();
    return table.group(1).replaceAll("<[^>]*>", " ").trim();
  }
}
