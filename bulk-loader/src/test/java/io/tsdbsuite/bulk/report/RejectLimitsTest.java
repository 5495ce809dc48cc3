package io.tsdbsuite.bulk.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RejectLimitsTest {
  private static RejectLimits limits(String... texts) {
    List<String> problems = new ArrayList<>();
    RejectLimits limits = RejectLimits.of(List.of(texts), problems::add);
    assertThat(problems).isEmpty();
    return limits;
  }

  private static Tally rejected(long badValue, long badTags) {
    Tally tally = new Tally();
    tally.reject(RejectReason.BAD_VALUE, badValue);
    tally.reject(RejectReason.BAD_TAGS, badTags);
    return tally;
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, false",
    "0, 1, true",
    "5, 5, false",
    "5, 6, true",
    "10%, 100, false",
    "10%, 101, true",
    "0.1%, 1, false",
    "0.1%, 2, true",
    "0.000000001%, 0, false",
    "0.000000001%, 1, true",
    "100%, 1000, false",
  })
  void ofThousandPoints(String limit, long rejected, boolean exceeded) {
    assertThat(limits(limit).isExceeded(rejected(rejected, 0), 1000)).isEqualTo(exceeded);
  }

  @Test
  void aReasonWithALimitDoesNotCountForTheOthers() {
    RejectLimits limits = limits("badValue=50%", "2");
    assertThat(limits.isExceeded(rejected(500, 2), 1000)).isFalse();
    assertThat(limits.isExceeded(rejected(501, 2), 1000)).isTrue();
    assertThat(limits.isExceeded(rejected(0, 3), 1000)).isTrue();
    assertThat(limits("badValue=7").isExceeded(rejected(7, 0), 1000)).isFalse();
    assertThat(limits("badValue=7").isExceeded(rejected(0, 1), 1000)).isTrue();
  }

  @Test
  void onlyNumbersAreExceededBeforeTheEnd() {
    assertThat(limits("1%").isExceededSoFar(rejected(1000, 0))).isFalse();
    assertThat(limits("1%", "badTags=0").isExceededSoFar(rejected(0, 1))).isTrue();
    assertThat(limits("1").isExceededSoFar(rejected(1, 1))).isTrue();
    assertThat(RejectLimits.NONE.isExceeded(rejected(10, 0), 10)).isFalse();
    assertThat(RejectLimits.ZERO.isExceeded(rejected(0, 0), 0)).isFalse();
  }

  @Test
  void theTextsGiveTheLimitsAgain() {
    RejectLimits limits = limits("badTags=3", "0.5%", "badValue=100%");
    assertThat(limits(limits.texts().toArray(String[]::new))).isEqualTo(limits);
    assertThat(limits).hasToString("0.5%, badValue=100%, badTags=3");
    assertThat(limits("badTags=3").texts()).containsExactly("0", "badTags=3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-1",
        "x",
        "1e3",
        "101%",
        "100.1%",
        "%",
        "badValue",
        "badValue=",
        "=1",
        "bad=1",
        "badValue=-1",
        "badValue=1,2",
        "9999999999999999999"
      })
  void others(String text) {
    List<String> problems = new ArrayList<>();
    RejectLimits.of(List.of(text), problems::add);
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).startsWith("--max-rejected must ").contains("found: " + text);
  }

  @Test
  void aLimitComesOnce() {
    List<String> problems = new ArrayList<>();
    RejectLimits.of(List.of("1", "2%", "badTags=1", "badTags=2"), problems::add);
    assertThat(problems).hasSize(2);
  }
}
