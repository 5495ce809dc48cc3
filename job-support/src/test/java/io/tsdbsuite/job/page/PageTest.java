package io.tsdbsuite.job.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PageTest {
  @Test
  void textsAndValuesAreEscaped() {
    assertThat(
            Element.of("p", "a < b & c > \"d\" 'e'\n")
                .with("title", "<\"'&>")
                .with("x", 1.0)
                .with("y", 2.25)
                .add(Element.of("b")))
        .hasToString(
            "<p title=\"&lt;&quot;'&amp;&gt;\" x=\"1\" y=\"2.3\">"
                + "a &lt; b &amp; c &gt; &quot;d&quot; 'e'\n<b></b></p>");
  }

  @Test
  void charactersThatNobodySeesAreShownByNumber() {
    assertThat(Element.escaped("\u0000\u0007\u007f\u0085\u202e\u2066\ufeff\ud800x\udc00\uffff"))
        .isEqualTo("\\u0000\\u0007\\u007f\\u0085\\u202e\\u2066\\ufeff\\ud800x\\udc00\\uffff");
    assertThat(Element.escaped("\u00fc \ud83d\ude00 \u65e5\t\n"))
        .isEqualTo("\u00fc \ud83d\ude00 \u65e5\t\n");
  }

  @Test
  void onlyAPageWithAScriptMayRunOne() {
    HtmlPage page = new HtmlPage("a & b").add(Element.of("h1", "x"));
    assertThat(page.html())
        .contains("<title>a &amp; b</title>")
        .contains("<main id=\"page\"><h1>x</h1></main>")
        .doesNotContain("script-src")
        .doesNotContain("<script");
    page.card(page.lines("</script><!--\u2028&", 960, new Line("n", Colour.PALE, 1.5).point(7, 2)));
    assertThat(page.html())
        .contains("script-src 'unsafe-inline'")
        .contains("\"title\":\"\\u003c/script\\u003e\\u003c!--\\u2028\\u0026\"")
        .contains("\"colour\":\"pale\",\"width\":1.5,\"points\":[[7,2.0]]}]}]</script>")
        .contains("<div id=\"plot-0\">")
        .contains("getElementById(plot.id)")
        .contains("</script>\n</body>");
  }

  @Test
  void numbers() {
    assertThat(Numbers.grouped(1_234_567)).isEqualTo("1,234,567");
    assertThat(Numbers.grouped(1234.5678, 2)).isEqualTo("1,234.57");
    assertThat(Numbers.grouped(1200.0, 2)).isEqualTo("1,200");
    assertThat(Numbers.grouped(1200.0, 0)).isEqualTo("1,200");
    assertThat(Numbers.shortened(0)).isEqualTo("0");
    assertThat(Numbers.shortened(950)).isEqualTo("950");
    assertThat(Numbers.shortened(12_300)).isEqualTo("12.3k");
    assertThat(Numbers.shortened(3.4e6)).isEqualTo("3.4M");
    assertThat(Numbers.shortened(2e12)).isEqualTo("2,000G");
  }

  @Test
  void ticksAreRoundAndReachTheMaximum() {
    assertThat(ColumnChart.ticks(0)).containsExactly(0.0);
    assertThat(ColumnChart.ticks(4)).containsExactly(0.0, 1.0, 2.0, 3.0, 4.0);
    assertThat(ColumnChart.ticks(2690)).containsExactly(0.0, 1000.0, 2000.0);
  }

  @Test
  void longLabelsKeepTheirEnds() {
    String label = "a".repeat(100) + "z".repeat(100);
    assertThat(new BarChart("t", 200).bar(label, 1, "1", Colour.FIRST).svg().toString())
        .contains(">" + "a".repeat(14) + "\u2026" + "z".repeat(14) + "<")
        .contains("<title>" + label + "</title>");
  }

  @Test
  void aChartOfNothingIsADrawing() {
    assertThat(
            new HtmlPage("p")
                .card(
                    new BarChart("b", 200).svg(),
                    new ColumnChart("c").svg(),
                    new ColumnChart("c").column("x", 0, "0").svg(),
                    new BarChart("b", 200).bar("x", 0, "0", Colour.BAD).svg())
                .html())
        .doesNotContain("NaN")
        .doesNotContain("Infinity");
  }

  @Test
  void tables() {
    List<Blocks.Row> rows = List.of(Blocks.Row.of("1"), new Blocks.Row(true, List.of("2")));
    assertThat(Blocks.table(List.of("a"), rows).toString())
        .contains("<thead><tr><th class=\"\">a</th></tr></thead>")
        .contains("<tr class=\"first\"><td class=\"\">2</td></tr>");
  }
}
