package io.tsdbsuite.rollup.hfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.report.RunProof;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ManifestJsonTest {
  private static Manifest manifest() {
    return new Manifest(
        1,
        "20261120T031500Z_0a1b2c",
        "rollup-job 1",
        "6f1c0e5a-0000-4000-8000-0123456789ab",
        1_763_600_000_123L,
        Map.of("--from", "2025-11-19T00:00:00Z"),
        Map.of("--data-snapshot", "2025-11-20T00:00:00Z"),
        List.of(
            new Manifest.Table(
                "tsdb-rollup-1h",
                "1h",
                "1d",
                Map.of("sum", 0, "count", 2),
                List.of("", "000004"),
                List.of(
                    new WrittenFile(
                        "tsdb-rollup-1h",
                        "v1_x-r0-a1-0000",
                        0,
                        8,
                        1234,
                        new byte[] {0, 1},
                        new byte[] {0, -1},
                        0xffffffffL)))),
        new RunProof(
            Instant.parse("2025-11-20T00:00:00.123Z"),
            List.of("3 rows or days failed (malformed key)"),
            List.of(
                new RunProof.OddMetric(1, 1763596800, 1763600400),
                new RunProof.OddMetric(0x7fffffffffL, 0, 3600)),
            List.of(new RunProof.OddMetric(2, 7200, 10800)),
            List.of(
                new RunProof.Refresh(
                    Instant.parse("2025-01-01T00:00:00Z"),
                    Instant.parse("2025-11-19T00:00:00Z"),
                    Instant.parse("2025-11-19T00:01:00Z"))),
            List.of(),
            null));
  }

  /** Manifests of older versions tell no floors. */
  @Test
  void floorsAreReadAsTheyWereWritten() throws IOException {
    Manifest old = manifest();
    RunProof proof =
        Objects.requireNonNull(old.proof())
            .above(
                new RawFloors(
                    true,
                    List.of(
                        new RawFloors.Floor("app.*,!app.a", 1763596800),
                        new RawFloors.Floor("*", 1763510400))),
                Instant.parse("2025-11-18T00:00:00Z"));
    Manifest manifest =
        new Manifest(
            old.format(),
            old.run(),
            old.version(),
            old.cluster(),
            old.stamp(),
            old.options(),
            old.snapshots(),
            old.tables(),
            proof);
    assertThat(ManifestJson.read(ManifestJson.write(manifest)))
        .usingRecursiveComparison()
        .isEqualTo(manifest);
  }

  @Test
  void isReadAsItWasWritten() throws IOException {
    Manifest read = ManifestJson.read(ManifestJson.write(manifest()));
    assertThat(read).usingRecursiveComparison().isEqualTo(manifest());
    assertThat(read.cells()).isEqualTo(8);
    assertThat(read.bytes()).isEqualTo(1234);
    assertThat(read.files()).isEqualTo(1);
  }

  /** An older load takes format 1 alone. */
  @Test
  void aRunWithASuiteHasAnotherFormat() throws IOException {
    Manifest old = manifest();
    String suite = "{\"values\":[{\"metrics\":\"*\"}]}";
    Manifest manifest =
        new Manifest(
            RunDir.format(true, false, false),
            old.run(),
            old.version(),
            old.cluster(),
            old.stamp(),
            Map.of("--from", "2025-11-19T00:00:00Z", "suite", suite),
            old.snapshots(),
            old.tables(),
            old.proof());
    assertThat(manifest.format()).isEqualTo(2);
    String json = new String(ManifestJson.write(manifest), StandardCharsets.UTF_8);
    Manifest read = ManifestJson.read(json.getBytes(StandardCharsets.UTF_8));
    assertThat(read).usingRecursiveComparison().isEqualTo(manifest);
    assertThat(read.suite()).isEqualTo(suite);
    assertThat(old.suite()).isEmpty();
    fails(json.replace("\"format\" : 2", "\"format\" : 1"), "format must be 2, found 1");
    fails(json.replace("\"suite\"", "\"other\""), "format must be 1, found 2");
  }

  /** An older load, which would not know what to do with the table, takes it not. */
  @Test
  void aRunWithHistogramsHasAnotherFormat() throws IOException {
    Manifest old = manifest();
    Manifest.Table table =
        new Manifest.Table(
            "h", "1h.histogram", "1h", Map.of("a.Codec", 43), List.of(""), List.of());
    Manifest manifest =
        new Manifest(
            RunDir.format(true, true, false),
            old.run(),
            old.version(),
            old.cluster(),
            old.stamp(),
            Map.of("suite", "{}"),
            old.snapshots(),
            List.of(old.tables().get(0), table),
            old.proof());
    assertThat(manifest.format()).isEqualTo(3);
    assertThat(manifest.hasHistograms()).isTrue();
    assertThat(old.hasHistograms()).isFalse();
    assertThat(table.interval()).isEqualTo("1h");
    String json = new String(ManifestJson.write(manifest), StandardCharsets.UTF_8);
    assertThat(json)
        .containsOnlyOnce("\"level\" : \"1h.histogram\"")
        .containsOnlyOnce("codecIds")
        .containsOnlyOnce("aggregatorIds");
    Manifest read = ManifestJson.read(json.getBytes(StandardCharsets.UTF_8));
    assertThat(read).usingRecursiveComparison().isEqualTo(manifest);
    fails(json.replace("\"format\" : 3", "\"format\" : 2"), "format must be 3, found 2");
  }

  /** Their parts are told beside the cells; an older load, which would not compare them, fails. */
  @Test
  void aRunWithPackedRowsHasAnotherFormat() throws IOException {
    Manifest old = manifest();
    Manifest.Table plain = old.tables().get(0);
    Manifest.Table table =
        new Manifest.Table("p", "1h.packed", "1d", plain.ids(), List.of(""), plain.files());
    Manifest manifest =
        new Manifest(
            RunDir.format(true, true, true),
            old.run(),
            old.version(),
            old.cluster(),
            old.stamp(),
            Map.of("suite", "{}"),
            old.snapshots(),
            List.of(plain, table),
            old.proof());
    assertThat(manifest.format()).isEqualTo(4);
    assertThat(manifest.hasPacked()).isTrue();
    assertThat(manifest.hasHistograms()).isFalse();
    assertThat(old.hasPacked()).isFalse();
    assertThat(table.interval()).isEqualTo("1h");
    assertThat(manifest.cells()).isEqualTo(8);
    assertThat(manifest.packedParts()).isEqualTo(8);
    String json = new String(ManifestJson.write(manifest), StandardCharsets.UTF_8);
    assertThat(json)
        .containsOnlyOnce("\"level\" : \"1h.packed\"")
        .containsOnlyOnce("\"packedParts\" : 8")
        .doesNotContain("codecIds");
    Manifest read = ManifestJson.read(json.getBytes(StandardCharsets.UTF_8));
    assertThat(read.tables()).extracting(Manifest.Table::level).containsExactly("1h", "1h.packed");
    fails(json.replace("\"format\" : 4", "\"format\" : 3"), "format must be 4, found 3");
  }

  @Test
  void aManifestOfAnOlderVersionHasNoProof() throws IOException {
    String json = new String(ManifestJson.write(manifest()), StandardCharsets.UTF_8);
    String older = json.replace("\"proof\"", "\"other\"");
    assertThat(ManifestJson.read(older.getBytes(StandardCharsets.UTF_8)).proof()).isNull();
    String noHistograms = json.replace("\"oddHistograms\"", "\"other\"");
    assertThat(
            Objects.requireNonNull(
                    ManifestJson.read(noHistograms.getBytes(StandardCharsets.UTF_8)).proof())
                .oddHistograms())
        .isEmpty();
    fails(json.replace("\"gaps\"", "\"other\""), "'gaps' must be there");
    fails(json.replace("2025-11-20T00:00:00.123Z", "then"), "'readAsOf' must be a time");
  }

  /** It was written for tables of which there were only snapshots. */
  @Test
  void theClusterNeedNotBeKnown() throws IOException {
    String json = new String(ManifestJson.write(manifest()), StandardCharsets.UTF_8);
    String without = json.replaceFirst("\"hbaseCluster\" : .*", "");
    assertThat(ManifestJson.read(without.getBytes(StandardCharsets.UTF_8)).cluster()).isNull();
  }

  @Test
  void whatIsNoManifestIsNamed() throws IOException {
    String json = new String(ManifestJson.write(manifest()), StandardCharsets.UTF_8);
    fails(json.replace("\"format\" : 1", "\"format\" : 2"), "format must be 1, found 2");
    fails(json.replace("\"cellTimestamp\"", "\"other\""), "'cellTimestamp' must be there");
    fails(json.replace("\"cells\" : 8,\n  \"proof\"", "\"cells\" : 9,\n  \"proof\""), "found 9");
    fails(json.replace("\"00ff\"", "\"0x\""), "rows must be in hex");
  }

  /** Jackson's own message has the beginning of the text in it, with its line breaks. */
  @Test
  void aManifestThatIsCutOffIsNamedInOneLine() throws IOException {
    String json = new String(ManifestJson.write(manifest()), StandardCharsets.UTF_8);
    int options = json.indexOf("\"options\"");
    String text = json.substring(0, options);
    assertThatThrownBy(() -> ManifestJson.read(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "must be JSON, found: Unexpected end-of-input within/between Object entries at line 7,"
                + " column 3");
    for (int end = 1; end < json.length(); end++) {
      byte[] part = json.substring(0, end).getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> ManifestJson.read(part))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("must be JSON, found: ")
          .hasMessageNotContainingAny("\n", "\r", "Source");
    }
  }

  @Test
  void whatIsNoJsonIsNamedInOneLine() {
    fails("cells: 5\n", "must be JSON, found: Unrecognized token 'cells': was expecting");
    fails("cells: 5\n", " at line 1, column ");
    fails("{\"a\":\n\n  }", " at line 3, column ");
  }

  private static void fails(String json, String message) {
    assertThatThrownBy(() -> ManifestJson.read(json.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
  }
}
