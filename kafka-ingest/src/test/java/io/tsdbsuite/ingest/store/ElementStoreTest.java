package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ElementStoreTest {
  private static RollupSchema unusable() {
    throw new IllegalArgumentException("aggregationIds.count: compulsory");
  }

  @Test
  void aRollupConfigurationThatIsNeededMustBeUsable() {
    assertThatThrownBy(() -> ElementStore.schema(ElementStoreTest::unusable, true))
        .hasMessageContaining("compulsory");
  }

  @Test
  void histogramsOfRollupsNeedTheTsdsCodecs() throws Exception {
    RollupSchema schema = RepairPlanTest.schema(HistogramCodecs.NONE);
    assertThatThrownBy(
            () ->
                schema.checked(
                    Map.of(
                        "tsd.storage.use_otsdb_timestamp",
                        "true",
                        "tsd.rollups.tag_raw",
                        "true",
                        "tsd.core.histograms.config",
                        "{\"net.opentsdb.core.SimpleHistogramDecoder\":42}"),
                    true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "kafka-ingest: suite.histograms of rollup_config.json:"
                + " tsd.storage.use_otsdb_timestamp must be off, since a TSD would not find the"
                + " cells, found on; suite.histograms of rollup_config.json: tsd.rollups.tag_raw"
                + " must be off, found on; tsd.core.histograms.config: suite.histograms of"
                + " rollup_config.json needs an id of io.tsdbsuite.histogram.SketchCodec, found"
                + " none");
    assertThatThrownBy(() -> schema.checked(Map.of(), true)).hasMessageContaining("needs an id of");
    assertThatThrownBy(
            () -> schema.checked(Map.of("tsd.core.histograms.config", "/no/such/file.json"), true))
        .hasMessageContaining("tsd.core.histograms.config: must be a file that can be read");
    RollupSchema usable = RepairPlanTest.schema();
    assertThat(usable.hasHistograms("a.hist")).isTrue();
    assertThat(usable.hasHistograms("a.other")).isFalse();
    RollupTarget day = usable.target("1d");
    assertThat(usable.histogram(day, HistogramCodecs.SKETCH, new byte[] {1, 2}))
        .containsExactly(43, 1, 2);
    BadMessageException unknown =
        catchThrowableOfType(
            BadMessageException.class, () -> usable.histogram(day, "a.Codec", new byte[] {1}));
    assertThat(unknown.reason()).isEqualTo(Reason.UNKNOWN_CODEC);
    assertThat(unknown)
        .hasMessage("histogram.codec must be in tsd.core.histograms.config, found a.Codec");
    RollupTarget other = usable.target("8h");
    BadMessageException noTable =
        catchThrowableOfType(
            BadMessageException.class,
            () -> usable.histogram(other, HistogramCodecs.SKETCH, new byte[] {1}));
    assertThat(noTable.reason()).isEqualTo(Reason.UNKNOWN_INTERVAL);
    assertThat(noTable)
        .hasMessage(
            "interval must have a table in suite.histogramTables for a histogram, found 8h");
  }

  @Test
  void packedRollupsAreCopiesOfWhatIsStored() {
    RollupSchema schema = PackedSchema.schema();
    assertThatThrownBy(
            () ->
                schema.checked(
                    Map.of(
                        "tsd.storage.use_otsdb_timestamp",
                        "true",
                        "tsd.rollups.tag_raw",
                        "true",
                        "tsd.storage.hbase.uid_table",
                        "k-1h"),
                    true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "kafka-ingest: suite.packed of rollup_config.json: must not be tables of points, UIDs,"
                + " meta data or trees, found [k-1h]; suite.packed of rollup_config.json:"
                + " tsd.storage.use_otsdb_timestamp must be off, since cells would not have the"
                + " time of reading, found on; suite.packed of rollup_config.json:"
                + " tsd.rollups.tag_raw must be off, found on; suite.packed of rollup_config.json:"
                + " tsd.timeseriesfilter.enable must be off, since a packed rollup has all of its"
                + " values, found on");
    RollupSchema usable = schema.checked(Map.of(), false);
    assertThat(usable.needed()).containsExactly("k-1h", "t-10m", "t-1h");
  }

  /** Else a repair would void the masks of windows whose packed rollups it has not written. */
  @Test
  void aRepairWritesTheLevelsOfItsTables() {
    RollupSchema schema = PackedSchema.schema();
    Selection more = schema.selection("more.a");
    assertThat(schema.writes(more, "1h")).isTrue();
    assertThat(schema.writes(more, "1h.p99")).isTrue();
    assertThat(schema.writes(more, "1h.p50")).isFalse();
    assertThat(schema.writes(more, "1h.packed")).isTrue();
    assertThat(schema.writes(more, "10m.packed")).isFalse();
    assertThat(schema.writes(more, "5m.packed")).isFalse();
    assertThat(schema.writes(schema.selection("other"), "1h.packed")).isTrue();
    assertThat(RepairPlanTest.schema().writes(Selection.NONE, "1h.packed")).isFalse();
  }

  /** A TSD for raw points starts; rollups become dead letters, as where they are off. */
  @Test
  void anUnusableSchemaThatIsNotNeededIsIgnored() {
    assertThat(ElementStore.schema(ElementStoreTest::unusable, false)).isNull();
  }
}
