package io.tsdbsuite.query.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** OpenTSDB 2.4.0 has the names that the plugin needs, too. Deletes are OpenTSDB's own. */
@Tag("slow")
class OpenTsdb240IT {
  @Test
  void answersAndPassesDeletesOn() throws IOException {
    Map<String, String> conf = QueryStack.conf("old", "takeover", "true");
    conf.put("tsd.http.query.allow_delete", "true");
    Path before = Path.of(System.getProperty("opentsdb.before.jar"));
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", CoveredTsd.rollups("old"));
    TsdServer tsd = QueryStack.tsd("old", conf, before);
    assertThat(RawHttp.get(tsd.port(), "/plugin/rollup-query/status").text())
        .contains("No rollups are read: this OpenTSDB lacks");
    for (int i = 0; i < 3; i++) {
      tsd.client()
          .put(
              List.of(
                  new DataPoint("old.m" + i, Requests.START + 3600L * i, 5L, Map.of("a", "b"))));
    }
    String prefix = "/plugin/rollup-query/";
    String query = "api/query?start=" + Requests.START + "&end=" + Requests.END + "&m=sum:old.m";
    assertThat(RawHttp.get(tsd.port(), "/" + query + 0).text()).contains("\"1763510400\":5");
    assertThat(RawHttp.get(tsd.port(), prefix + query + 0).text()).contains("\"1763510400\":5");
    assertThat(stat(tsd, "queries outcome=answered")).isEqualTo(2);
    List<String> close = List.of("Connection: close");
    RawHttp.ask(tsd.port(), "DELETE", prefix + query + 0, close, new byte[0]);
    RawHttp.ask(tsd.port(), "DELETE", "/" + query + 1, close, new byte[0]);
    RawHttp.get(tsd.port(), prefix + query + 2 + "&method_override=delete");
    assertThat(stat(tsd, "passed_on")).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      String deleted = "/" + query + i;
      Await.until(
          "old.m" + i + " to be deleted",
          QueryStack.PATIENCE,
          () -> RawHttp.get(tsd.port(), deleted).text().equals("[]"));
    }
    tsd.stop();
  }

  private static long stat(TsdServer tsd, String name) {
    return Long.parseLong(tsd.client().stats().get("tsd.rollup_query." + name + " plugin=httprpc"));
  }
}
