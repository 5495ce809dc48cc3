package io.tsdbsuite.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TsdOptionsTest {
  private static final String CODECS = "tsd.core.histograms.config";
  private static final String SKETCH = "{\"io.tsdbsuite.histogram.SketchCodec\": 43}";
  private static final String SUITE =
      "\"suite\": {\"histograms\": [{\"metrics\": \"*\", \"intervals\": \"1h\"}],"
          + " \"histogramTables\": {\"1h\": \"tsdb-histogram-1h\"}},";

  @TempDir Path directory;

  private final Problems problems = new Problems();

  private HistogramCodecs read(String suite, Map<String, String> keys) throws IOException {
    TsdOptions options = new TsdOptions();
    options.config = Files.writeString(directory.resolve("opentsdb.conf"), "");
    Path rollups = directory.resolve("rollup_config.json");
    Files.writeString(
        rollups,
        "{"
            + suite
            + "\"aggregationIds\": {\"sum\": 0, \"count\": 1, \"min\": 2, \"max\": 3},"
            + "\"intervals\": [{\"table\": \"tsdb\", \"preAggregationTable\": \"tsdb-agg-1s\","
            + "\"interval\": \"1s\", \"rowSpan\": \"1h\", \"defaultInterval\": true},"
            + "{\"table\": \"tsdb-1h\", \"preAggregationTable\": \"tsdb-agg-1h\","
            + "\"interval\": \"1h\", \"rowSpan\": \"1d\"}]}");
    options.rollups = rollups.toString();
    return options.read(keys, null, problems).codecs();
  }

  @Test
  void codecsInlineOrOfAFile() throws IOException {
    assertThat(read(SUITE, Map.of(CODECS, SKETCH)).codec(43)).isEqualTo(HistogramCodecs.SKETCH);
    Path file = Files.writeString(directory.resolve("codecs.json"), SKETCH);
    assertThat(read(SUITE, Map.of(CODECS, file.toString())).id(HistogramCodecs.SKETCH))
        .isEqualTo(43);
    assertThat(problems.all()).isEmpty();
  }

  /** Whatever the TSD makes of it. */
  @Test
  void withoutHistogramsNothingIsReadOrRefused() throws IOException {
    Map<String, String> keys =
        Map.of(
            CODECS,
            "none.json",
            "tsd.storage.use_otsdb_timestamp",
            "true",
            "tsd.rollups.tag_raw",
            "true");
    assertThat(read("", keys)).isSameAs(HistogramCodecs.NONE);
    assertThat(problems.all()).isEmpty();
  }

  @Test
  void whatHistogramsCannotHave() throws IOException {
    read(SUITE, Map.of("tsd.storage.use_otsdb_timestamp", "true", "tsd.rollups.tag_raw", "true"));
    assertThat(problems.all())
        .containsExactly(
            "suite.histograms of rollup_config.json: tsd.storage.use_otsdb_timestamp must be off,"
                + " since a TSD would not find the cells, found on",
            "suite.histograms of rollup_config.json: tsd.rollups.tag_raw must be off, found on",
            CODECS
                + ": suite.histograms of rollup_config.json needs an id of"
                + " io.tsdbsuite.histogram.SketchCodec, found none");
  }

  @Test
  void histogramTablesThatStoreOtherThings() throws IOException {
    List<String> expected = new ArrayList<>();
    for (String table : List.of("data", "uid", "meta", "tree")) {
      String key = "tsd.storage.hbase." + table + "_table";
      read(SUITE.replace("tsdb-histogram-1h", table), Map.of(CODECS, SKETCH, key, table));
      expected.add(
          "suite.histogramTables of rollup_config.json: must not be tables of points, UIDs, meta"
              + " data or trees, found ["
              + table
              + "]");
    }
    assertThat(problems.all()).isEqualTo(expected);
  }

  @Test
  void codecsThatAreWrong() throws IOException {
    Path none = directory.resolve("none.json");
    for (String codecs :
        List.of(
            "{\"net.opentsdb.core.SimpleHistogramDecoder\": 43}",
            "{\"io.tsdbsuite.histogram.SketchCodec\": 200}",
            none.toString())) {
      read(SUITE, Map.of(CODECS, codecs));
    }
    assertThat(problems.all())
        .containsExactly(
            CODECS
                + ": suite.histograms of rollup_config.json needs an id of"
                + " io.tsdbsuite.histogram.SketchCodec, found none",
            CODECS + ": io.tsdbsuite.histogram.SketchCodec: must have an id of 0 to 127, found 200",
            CODECS + " " + none + " cannot be read: there is no such file");
  }
}
