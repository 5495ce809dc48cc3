package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** JSON that is not as it should be is taken, or rejected, point by point like by a TSD's put. */
class OddJsonIT {
  private static final long START = 1_356_998_000;
  private static final long END = 1_356_999_000;
  private static final int GOOD = 1;

  /** Members of an object each; the second is good. */
  private static final List<String> ODD =
      List.of(
          "'timestamp':1356998400,'value':NaN",
          "'timestamp':1356998400,'value':1",
          "'timestamp':1356998400,'value':Infinity",
          "'timestamp':1356998400,'value':-Infinity",
          "'timestamp':1356998400,'value':'NaN'",
          "'timestamp':1356998400.9,'value':2",
          "'timestamp':1356998400123.9,'value':3.5",
          "'timestamp':1.3569984e9,'value':4",
          "'timestamp':NaN,'value':5",
          "'timestamp':0.5,'value':6",
          "'timestamp':-1.5,'value':7",
          "'timestamp':null,'value':8",
          "'timestamp':'1356998400','value':'9'",
          "'timestamp':1356998400,'value':'x'");

  /** For these a TSD refuses the whole request; the loader rejects the point. */
  private static final List<String> REFUSED =
      List.of(
          "'timestamp':'1356998400.5','value':1",
          "'timestamp':'x','value':1",
          "'timestamp':true,'value':1",
          "'timestamp':1e300,'value':1");

  @Test
  void pointByPointLikeATsd() throws Exception {
    TsdServer tsd = LoaderStack.tsd("odd-json", LoaderStack.conf("odd-json"));
    Path dir = WorkDirs.fresh("odd-json-in");
    JsonNode answer = put(tsd, array("put", ODD));
    for (int i = 0; i < REFUSED.size(); i++) {
      List<String> withGood = List.of(ODD.get(GOOD), REFUSED.get(i));
      assertThat(put(tsd, array("refused" + i, withGood)).at("/error/code").intValue())
          .as(REFUSED.get(i))
          .isEqualTo(400);
    }

    Path all = Files.writeString(dir.resolve("all.json"), array("load", ODD));
    Loader.Outcome loaded = load(tsd, all, dir.resolve("work"), 1000);
    assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);
    List<String> stored = new ArrayList<>();
    for (int i = 0; i < ODD.size(); i++) {
      // A metric of which nothing was taken has a name only where points were looked at.
      if (isKnown(tsd, "put." + i)) {
        stored.add(ODD.get(i));
        assertThat(Answers.of(tsd, QuerySpec.of("load." + i, START, END)))
            .as(ODD.get(i))
            .isEqualTo(Answers.of(tsd, QuerySpec.of("put." + i, START, END)))
            .isNotEmpty();
      } else {
        assertThat(isKnown(tsd, "load." + i)).as(ODD.get(i)).isFalse();
      }
    }
    assertThat(answer.get("success").intValue()).as("%s", answer).isEqualTo(stored.size());
    assertThat(stored).contains(ODD.get(GOOD)).hasSizeLessThan(ODD.size());

    Path bad = Files.writeString(dir.resolve("bad.json"), array("refused", REFUSED));
    Loader.Outcome rejected = load(tsd, bad, dir.resolve("work2"), REFUSED.size());
    assertThat(rejected.code()).as(rejected.err()).isEqualTo(ExitCode.DONE);
    assertThat(rejected.out()).containsPattern("bad timestamp +" + REFUSED.size());
  }

  private static Loader.Outcome load(TsdServer tsd, Path file, Path work, int maxRejected) {
    return Loader.run(
        "load",
        "--tsd-config=" + tsd.configFile(),
        "--work-dir=" + work,
        "--progress=none",
        "--max-rejected=" + maxRejected,
        "--input",
        file.toString());
  }

  private static boolean isKnown(TsdServer tsd, String metric) {
    return tsd.client().suggest("metrics", metric, 100).contains(metric);
  }

  private static String array(String metric, List<String> objects) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < objects.size(); i++) {
      all.add(
          ("{'metric':'" + metric + "." + i + "','tags':{'host':'a'}," + objects.get(i) + "}")
              .replace('\'', '"'));
    }
    return "[" + String.join(",\n", all) + "]";
  }

  private static JsonNode put(TsdServer tsd, String body) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + tsd.port() + "/api/put?details&sync"))
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    return new ObjectMapper().readTree(answer.body());
  }
}
