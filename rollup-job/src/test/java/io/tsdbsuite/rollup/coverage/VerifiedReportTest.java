package io.tsdbsuite.rollup.coverage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.load.TableFacts;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerifiedReportTest {
  private static final String GOOD =
      """
{"report":"rollup-job verify","v":1,"state":"ended","exitCode":0,"booksClose":true,
 "input":{"dataSnapshot":"tsdb-1","dataSnapshotTime":"2025-11-21T01:00:00Z",
   "dataTable":"tsdb","metrics":"sys.*,!sys.x",
   "rollupTable 1h":"r-1h","rollupRegions 1h":"ab","rollupSnapshotTime 1h":"2025-11-21T02:00:00Z",
   "rollupTable 1d":"r-1d","rollupRegions 1d":"cd","rollupSnapshotTime 1d":"2025-11-21T02:00:00Z"},
 "window":{"interval":"1h,1d","from":"2025-11-19T00:00:00Z","to":"2025-11-21T00:00:00Z"},
 "sample":{"fraction":1.0},"gaps":[],
 "compared":{"rollups":50,"equal":50,"missing":0,"extra":0,"different":0,
   "byInterval":{"1h":{"missing":0},"1d":{"missing":0}}},
 "stored":{"malformed":0,"oldestCell":"2025-11-20T23:00:00Z"}}
""";

  private static VerifiedReport read(String json) {
    return VerifiedReport.read("v.json", json.getBytes(UTF_8));
  }

  @Test
  void provesAWindowOfEachInterval() {
    List<CoverageWindow> windows =
        read(GOOD).windows(table -> table.equals("r-1d") ? 3600 : TableFacts.FOREVER);
    assertThat(windows).hasSize(2);
    CoverageWindow hours = windows.get(0);
    assertThat(hours.interval()).isEqualTo("1h");
    assertThat(hours.table()).isEqualTo("r-1h");
    assertThat(Instant.ofEpochSecond(hours.from())).isEqualTo("2025-11-19T00:00:00Z");
    assertThat(Instant.ofEpochSecond(hours.to())).isEqualTo("2025-11-21T00:00:00Z");
    assertThat(Instant.ofEpochMilli(hours.asOf())).isEqualTo("2025-11-21T01:00:00Z");
    assertThat(hours.metrics()).isEqualTo("sys.*,!sys.x");
    assertThat(hours.isRefresh()).isFalse();
    assertThat(hours.expires()).isEqualTo(CoverageWindow.NEVER);
    assertThat(hours.writer()).matches("verify-[0-9a-f]{16}");
    assertThat(hours.evidence())
        .matches("rollup-job verify of snapshot tsdb-1, report v.json, SHA-256 [0-9a-f]{64}");
    assertThat(Instant.ofEpochMilli(windows.get(1).expires())).isEqualTo("2025-11-21T00:00:00Z");
  }

  private static String with(String field, String value) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = (ObjectNode) mapper.readTree(GOOD);
    JsonPointer pointer = JsonPointer.compile(field);
    ObjectNode parent = (ObjectNode) root.at(pointer.head());
    String name = pointer.last().getMatchingProperty();
    if (value.isEmpty()) {
      parent.remove(name);
    } else {
      parent.set(name, mapper.readTree(value));
    }
    return root.toString();
  }

  /** Each of them alone. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      quoteCharacter = '\'',
      value = {
        "/report | '\"rollup-job load\"'",
        "/v | 2",
        "/state | '\"running\"'",
        "/exitCode | 1",
        "/exitCode | ''",
        "/booksClose | false",
        "/sample/fraction | 0.5",
        "/sample/fraction | ''",
        "/gaps | ''",
        "/gaps | '[\"a sample of 0.5 of the series was compared\"]'",
        "/gaps | '\"\"'",
        "/stored | ''",
        "/stored/malformed | 1",
        "/stored/oldestCell | ''",
        "/compared/missing | 1",
        "/compared/extra | 1",
        "/compared/different | 1",
        "/compared/different | ''",
        "/compared/rollups | 51",
        "/compared/rollups | ''",
        "/compared/byInterval/1d | ''",
        "/input/dataSnapshot | ''",
        "/input/dataSnapshotTime | '\"yesterday\"'",
        "/input/dataTable | ''",
        "/input/metrics | ''",
        "/input/rollupTable 1d | ''",
        "/input/rollupRegions 1h | ''",
        "/input/rollupSnapshotTime 1h | ''",
        "/window/from | ''",
        "/window/to | 5",
        "/window/interval | '\"\"'",
        "/window/interval | '\"1h,6h\"'",
      })
  void whatIsNotAsItMustBeIsNamed(String field, String value) throws IOException {
    String json = with(field, value);
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("--evidence v.json: ")
        .hasMessageContaining(value.equals("\"1h,6h\"") ? "/input/rollupTable 6h" : field)
        .extracting(e -> ((JobException) e).exitCode())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aReportOfNothing() throws IOException {
    ObjectNode none = (ObjectNode) new ObjectMapper().readTree(GOOD);
    ((ObjectNode) none.get("compared")).put("rollups", 0).put("equal", 0);
    assertThatThrownBy(() -> read(none.toString())).hasMessageContaining("/compared/rollups");
    assertThatThrownBy(() -> read("[]")).hasMessageContaining("/report must be rollup-job verify");
    assertThatThrownBy(() -> read("{")).hasMessageContaining("is no report");
  }

  @Test
  void aWindowAfterTheSnapshot() throws IOException {
    VerifiedReport late = read(with("/input/dataSnapshotTime", "\"2025-11-20T23:59:59Z\""));
    assertThatThrownBy(() -> late.windows(table -> TableFacts.FOREVER))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("the window must end at asOf or before");
  }
}
