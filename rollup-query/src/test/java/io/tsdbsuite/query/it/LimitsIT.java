package io.tsdbsuite.query.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.Test;

/** Queries of raw data that HBase does not answer: the data table is disabled meanwhile. */
class LimitsIT {
  private static final String URI =
      "/api/query?start=" + Requests.START + "&end=" + Requests.END + "&m=sum:q.limits";
  private static final String LATE = "&global_annotations";

  @Test
  void aQueryEndsInTimeOrWithItsClient() throws IOException {
    Map<String, String> conf =
        QueryStack.conf(
            "limits",
            "takeover",
            "true",
            "max_seconds_per_query",
            "2",
            "max_megabytes_per_query",
            "200");
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", CoveredTsd.rollups("limits"));
    TsdServer tsd = QueryStack.tsd("limits", conf);
    tsd.client()
        .put(List.of(new DataPoint("q.limits", Requests.START + 60, 5L, Map.of("host", "a"))));
    RawHttp.Answer before = RawHttp.get(tsd.port(), URI);
    assertThat(before.text()).contains("\"1763510460\":5");
    String millis = URI.replace("sum:", "sum:1ms-sum-zero:") + "&m=max:1ms-max-zero:q.limits";
    RawHttp.Answer filled = RawHttp.get(tsd.port(), millis);
    assertThat(filled.code()).as(filled.text()).isEqualTo(413);
    assertThat(filled.text()).contains("or no fill policy");
    try (Admin admin = QueryStack.hbase().connection().getAdmin()) {
      TableName table = TableName.valueOf("limits-tsdb");
      admin.disableTable(table);
      RawHttp.Answer late = RawHttp.get(tsd.port(), URI);
      assertThat(late.code()).isEqualTo(504);
      assertThat(late.header("Content-Type")).isEqualTo("application/json; charset=UTF-8");
      assertThat(late.text())
          .contains("{\"error\":{\"code\":504,\"message\":\"The query took longer than 2 s");
      assertThat(RawHttp.get(tsd.port(), URI + LATE).code()).isEqualTo(504);
      // Many that wait do not keep the TSD from answering others.
      for (int i = 0; i < 20; i++) {
        try (Socket socket = RawHttp.open(tsd.port())) {
          RawHttp.send(socket, "GET", URI, List.of(), new byte[0]);
        }
      }
      assertThat(RawHttp.get(tsd.port(), "/api/version").code()).isEqualTo(200);
      Await.until(
          "the queries without a client to be stopped",
          QueryStack.PATIENCE,
          () -> stat(tsd, "queries outcome=client_gone") == 20);
      assertThat(stat(tsd, "queries outcome=time")).isEqualTo(2);
      assertThat(stat(tsd, "running")).isZero();
      // asynchbase still asks for their rows.
      Await.until(
          "all queries to end", QueryStack.PATIENCE, () -> stat(tsd, "in_flight.bytes") == 0);
      assertThat(tsd.client().get("api/stats/query").get("running")).isEmpty();
      admin.enableTable(table);
    }
    Await.until(
        "queries to be answered",
        QueryStack.PATIENCE,
        () -> RawHttp.get(tsd.port(), URI).text().equals(before.text()));
    tsd.stop();
  }

  private static long stat(TsdServer tsd, String name) {
    return Long.parseLong(tsd.client().stats().get("tsd.rollup_query." + name + " plugin=httprpc"));
  }
}
