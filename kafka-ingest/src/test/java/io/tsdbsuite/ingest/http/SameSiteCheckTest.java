package io.tsdbsuite.ingest.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.ingest.http.Endpoints.Response;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SameSiteCheckTest {
  private static final Map<String, String> CURL =
      Map.of("Host", "tsd:4242", "X-Requested-By", "curl");

  private static Response refusal(Map<String, String> first, Map<String, String> more) {
    return SameSiteCheck.refusal(name -> more.getOrDefault(name, first.get(name)));
  }

  @Test
  void toolsAndPagesOfTheTsdMayWithTheHeader() {
    assertThat(refusal(CURL, Map.of())).isNull();
    assertThat(refusal(CURL, Map.of("Origin", "http://TSD:4242", "Sec-Fetch-Site", "same-origin")))
        .isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://evil.example", "http://tsd", "http://tsd:4243", "null", "tsd:4242", ""})
  void pagesOfOtherSitesMayNot(String origin) {
    Response refused = refusal(CURL, Map.of("Origin", origin));
    assertThat(refused.status).isEqualTo(403);
    assertThat((String) refused.body.get("error"))
        .contains("Origin must be that of the TSD, tsd:4242")
        .endsWith("found " + origin);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cross-site", "same-site"})
  void whatABrowserCallsCrossSiteMayNot(String site) {
    assertThat(refusal(CURL, Map.of("Sec-Fetch-Site", site)).status).isEqualTo(403);
  }

  @Test
  void aFormMayNot() {
    Response refused = refusal(Map.of("Host", "tsd:4242"), Map.of());
    assertThat(refused.status).isEqualTo(403);
    assertThat((String) refused.body.get("error")).contains("X-Requested-By");
  }

  @Test
  void noRequestMayChangeRatesWhereTheyAreFixed() {
    Endpoints off = new Endpoints(List.of(), "1", false);
    Map<String, List<String>> rate = Map.of("rate", List.of("1"));
    assertThat(off.respond("POST", "rate", rate, CURL::get).status).isEqualTo(403);
    assertThat(off.respond("PUT", "rate", rate, CURL::get).status).isEqualTo(403);
  }
}
