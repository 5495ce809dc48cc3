package io.tsdbsuite.rollup.tiers.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.verify.RegionNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProofStoreTest {
  private static final String HASH = "0123456789abcdef".repeat(4);
  private static final Instant DAY = Instant.parse("2026-10-27T00:00:00Z");
  private static final String NAME = "raw-2026-10-27-d4ff5aa1b2c3.json";

  private static final String TEXT =
      """
      {
        "proof" : 1,
        "version" : "0.1.0",
        "policy" : {
          "entry" : 2,
          "match" : "app.*",
          "metrics" : [ "app.*", "!app.debug.*" ],
          "keepDays" : {
            "1h" : 390,
            "raw" : 30
          },
          "sha256" : "HASH"
        },
        "cluster" : "",
        "schema" : {
          "tsd.storage.salt.width" : "1"
        },
        "aggregatorIds" : {
          "count" : 2,
          "sum" : 0
        },
        "anyBucket" : false,
        "table" : "raw",
        "from" : "2026-10-27T00:00:00Z",
        "to" : "2026-10-28T00:00:00Z",
        "metrics" : {
          "000001" : {
            "rows" : 24,
            "annotatedRows" : 1,
            "points" : 1500
          }
        },
        "kept" : {
          "histograms" : 3
        },
        "data" : {
          "table" : "tsdb",
          "snapshot" : "d",
          "created" : "2026-11-27T02:00:00.123Z",
          "manifest" : "HASH"
        },
        "rollups" : {
          "1h" : {
            "table" : "tsdb-rollup-1h",
            "snapshot" : "r",
            "created" : "2026-11-27T02:30:00Z",
            "manifest" : "HASH"
          }
        },
        "verify" : {
          "report" : "HASH",
          "compared" : 25,
          "equal" : 25
        },
        "provenAt" : "2026-11-27T03:00:00Z",
      """
          .replace("HASH", HASH);

  @TempDir Path directory;

  static Proof proof() {
    return new Proof(
        Proof.FORMAT,
        "0.1.0",
        new Proof.Selection(
            2,
            "app.*",
            List.of("app.*", "!app.debug.*"),
            new TreeMap<>(Map.of("raw", 30, "1h", 390)),
            HASH),
        "",
        new TreeMap<>(Map.of("tsd.storage.salt.width", "1")),
        new TreeMap<>(Map.of("sum", 0, "count", 2)),
        "",
        false,
        "raw",
        DAY,
        DAY.plusSeconds(86400),
        new TreeMap<>(Map.of("000001", new Proof.Rows(24, 1, 1500))),
        new TreeMap<>(Map.of("histograms", 3L)),
        new Proof.Source("tsdb", "d", Instant.parse("2026-11-27T02:00:00.123Z"), HASH),
        Map.of(
            "1h",
            new Proof.Source("tsdb-rollup-1h", "r", Instant.parse("2026-11-27T02:30:00Z"), HASH)),
        new Proof.Verified(HASH, 25, 25),
        Proof.Series.NONE,
        Instant.parse("2026-11-27T03:00:00Z"));
  }

  /** The same with another text. */
  static Proof proof(String text, String instead) {
    assertThat(TEXT).contains(text);
    return parse(file(TEXT.replace(text, instead)));
  }

  private static String hash(String fields) {
    return RegionNames.sha256(fields.getBytes(StandardCharsets.UTF_8));
  }

  /** A file whose hash is right. */
  private static String file(String fields) {
    return fields + "  \"sha256\" : \"" + hash(fields) + "\"\n}\n";
  }

  private static Proof parse(String text) {
    return ProofStore.parse("p.json", text.getBytes(StandardCharsets.UTF_8));
  }

  private static void refused(String text, String message) {
    assertThatThrownBy(() -> parse(text))
        .as(text)
        .isInstanceOf(JobException.class)
        .hasMessageContaining("the proof p.json " + message)
        .extracting(e -> ((JobException) e).exitCode())
        .isEqualTo(ExitCode.BAD_INPUT);
  }

  @Test
  void theFileIsLiteral() throws IOException {
    ProofStore store = new ProofStore(directory.toString(), new Configuration());
    store.write(proof());
    assertThat(store.names()).containsExactly(proof().fileName());
    assertThat(proof().fileName())
        .isEqualTo("raw-2026-10-27-" + hash("app.*,!app.debug.*").substring(0, 12) + ".json");
    assertThat(Files.readString(directory.resolve(proof().fileName()))).isEqualTo(file(TEXT));
    assertThat(store.read(proof().fileName())).isEqualTo(proof());
    assertThat(proof().sha256()).isEqualTo(hash(TEXT));
  }

  /** Only metrics of which some go tell them. */
  @Test
  void histogramsAreTold() {
    String points = "\"points\" : 1500";
    String text = TEXT.replace(points, points + ",\n      \"histograms\" : 7");
    Proof proof = parse(file(text));
    assertThat(proof.metrics()).isEqualTo(Map.of("000001", new Proof.Rows(24, 1, 1500, 7)));
    assertThat(proof.withHistograms()).containsExactly(1L);
    assertThat(proof.sha256()).isEqualTo(hash(text));
    assertThat(proof().withHistograms()).isEmpty();
    refused(file(text.replace(": 7", ": 0")), "must be written as rollup-job writes it");
  }

  @Test
  void eachChangedByteIsRefused() {
    String text = file(TEXT);
    for (int i = 0; i < text.length(); i++) {
      char changed = text.charAt(i) == '7' ? '8' : '7';
      String other = text.substring(0, i) + changed + text.substring(i + 1);
      assertThatThrownBy(() -> parse(other)).as(other).isInstanceOf(JobException.class);
    }
    for (String value : List.of("24", "1500", "\"r\"", "390", "false", "app.debug")) {
      refused(text.replaceFirst(value, value + "0"), "must ");
    }
    refused(text.replace("1500", "1501"), "must end with sha256 of all before it, ");
    refused(text + " ", "must end with sha256 of all before it, ");
    refused(text.substring(0, 40), "must be JSON: ");
  }

  /** A hash proves only that nobody changed the file by accident. */
  @Test
  void eachFieldIsNeededAndNoOtherIsKnown() {
    for (String line : TEXT.split("\n", -1)) {
      // The fields with one value, without those of maps, of which each may lack.
      if (line.endsWith(",") && line.contains("\" : ") && !line.contains("\"1h\"")) {
        if (!line.contains("\"proof\"") && !line.contains("\"sum\"") && !line.contains("count")) {
          String without = file(TEXT.replaceFirst(Pattern.quote(line + "\n"), ""));
          refused(without, "must have the fields of a proof: ");
        }
      }
    }
    refused(file(TEXT + "  \"more\" : 1,\n"), "must have no field more");
    refused(
        file(TEXT.replace("\"points\" : 1500", "\"points\" : 1500,\n      \"x\" : 1")),
        "must have no field x");
    refused(file(TEXT.replace("\"entry\" : 2", "\"entry\" : null")), "must ");
    refused(file(TEXT.replace(": 1500", ": \"1500\"")), "must be written as rollup-job writes it");
    refused(file(TEXT.replace("  \"version\"", " \"version\"")), "must be written as ");
    refused(
        file(
            TEXT.replace("  \"anyBucket\" : false,\n", "")
                .replace(
                    "  \"table\" : \"raw\",\n",
                    "  \"table\" : \"raw\",\n  \"anyBucket\" : false,\n")),
        "must be written as ");
    refused(
        file(
            TEXT.replace(
                "\"version\" : \"0.1.0\",", "\"version\" : \"0.1.0\",\n  \"version\" : \"\",")),
        "must be JSON: ");
    refused(file(TEXT.replace("10-27T", "13-27T")), "must have the fields of a proof: ");
  }

  @Test
  void anotherFormatIsRefused() {
    refused(
        file(TEXT.replace("\"proof\" : 1", "\"proof\" : 5")),
        "must have the format (proof) 1 to 4, found 5");
    refused(
        file(TEXT.replace("\"proof\" : 1", "\"proof\" : \"1\"")),
        "must have the format (proof) 1 to 4, found \"1\"");
    refused("[]", "must have the format (proof) 1 to 4, found none");
    refused("", "must have the format (proof) 1 to 4, found none");
  }

  /** Formats 3 and 4 are 1 and 2 with a suite. */
  @Test
  void theFormatsOfASuiteAreLiteral() throws IOException {
    String suite = "  \"suite\" : \"{\\\"values\\\":[]}\",\n";
    String text =
        TEXT.replace("\"proof\" : 1", "\"proof\" : 3")
            .replace("  \"anyBucket\"", suite + "  \"anyBucket\"");
    Proof day = parse(file(text));
    assertThat(day.suite()).isEqualTo("{\"values\":[]}");
    assertThat(day.ofIdleSeries()).isFalse();
    assertThat(day.fileName()).isEqualTo(proof().fileName());
    ProofStore store = new ProofStore(directory.toString(), new Configuration());
    store.write(day);
    assertThat(Files.readString(directory.resolve(day.fileName()))).isEqualTo(file(text));
    assertThat(store.read(day.fileName())).isEqualTo(day);

    String verify = TEXT.substring(TEXT.indexOf("  \"verify\""), TEXT.indexOf("  \"provenAt\""));
    String series =
        "  \"series\" : {\n    \"file\" : \"f\",\n    \"count\" : 2,\n    \"sha256\" : \"%s\"\n  },\n"
            .formatted(HASH);
    String idle = text.replace("\"proof\" : 3", "\"proof\" : 4").replace(verify, series);
    assertThat(parse(file(idle)).ofIdleSeries()).isTrue();
    assertThat(parse(file(idle)).suite()).isEqualTo("{\"values\":[]}");

    refused(file(text.replace("\"proof\" : 3", "\"proof\" : 1")), "must have no field suite");
    refused(file(text.replace(suite, "")), "must have the fields of a proof: ");
    refused(
        file(text.replace(suite, "  \"suite\" : \"\",\n")),
        "must have a suite, found an empty one");
    refused(file(text.replace(verify, verify + series)), "must have no field series");
    refused(file(idle.replace("\"proof\" : 4", "\"proof\" : 2")), "must have no field suite");
    refused(file(idle.replace(series, series + verify)), "must have no field verify");
  }

  /** Of idle series: all of format 1 but {@code verify}, and {@code series}. */
  private static Proof idle(String table, Proof.Series series) {
    Proof day = proof();
    return new Proof(
        Proof.IDLE,
        day.version(),
        day.policy(),
        day.cluster(),
        day.schema(),
        day.aggregatorIds(),
        day.suite(),
        day.anyBucket(),
        table,
        Instant.EPOCH,
        DAY,
        day.metrics(),
        day.kept(),
        day.data(),
        day.rollups(),
        Proof.Verified.NONE,
        series,
        day.provenAt());
  }

  private static IdleSeries series(String... tsuids) {
    IdleSeries.Builder builder = new IdleSeries.Builder();
    for (String tsuid : tsuids) {
      assertThat(builder.add(tsuid.getBytes(StandardCharsets.ISO_8859_1))).isTrue();
    }
    return builder.build();
  }

  @Test
  void theFormatOfIdleSeriesIsLiteral() throws IOException {
    ProofStore store = new ProofStore(directory.toString(), new Configuration());
    List<String> metrics = proof().policy().metrics();
    IdleSeries idle = series("abcdef", "abcdeg");
    Proof.Series named = store.write(idle, DAY, metrics);
    assertThat(named).isEqualTo(new Proof.Series(named.file(), 2, idle.sha256()));
    Proof raw = idle("raw", named);
    store.write(raw);
    String text =
        TEXT.replace("\"proof\" : 1", "\"proof\" : 2")
            .replace("\"from\" : \"2026-10-27", "\"from\" : \"1970-01-01")
            .replace("\"to\" : \"2026-10-28", "\"to\" : \"2026-10-27")
            .replaceAll(
                "(?s)\"verify\".*?}",
                "\"series\" : {\n    \"file\" : \"%s\",\n    \"count\" : 2,\n    \"sha256\" : \"%s\"\n  }"
                    .formatted(named.file(), named.sha256()));
    String hash = hash("app.*,!app.debug.*").substring(0, 12);
    assertThat(raw.fileName()).isEqualTo("idle-raw-2026-10-27-" + hash + ".json");
    assertThat(named.file()).isEqualTo("idle-2026-10-27-" + hash + ".series");
    assertThat(Files.readString(directory.resolve(raw.fileName()))).isEqualTo(file(text));
    assertThat(store.read(raw.fileName())).isEqualTo(raw);
    assertThat(store.series(raw).sha256()).isEqualTo(idle.sha256());
    String verify = TEXT.substring(TEXT.indexOf("  \"verify\""), TEXT.indexOf("  \"provenAt\""));
    String series = text.substring(text.indexOf("  \"series\""), text.indexOf("  \"provenAt\""));
    refused(file(text.replace(series, series + verify)), "must have no field verify");
    refused(file(TEXT.replace(verify, verify + series)), "must have no field series");
    refused(file(text.replace(series, "")), "must have the fields of a proof: ");
    refused(file(text.replace(series, "  \"series\" : null,\n")), "must have the fields of a ");
  }

  @Test
  void aGroupOfIdleSeriesIsThatOfItsEntry() throws IOException {
    ProofStore store = new ProofStore(directory.toString(), new Configuration());
    List<String> metrics = proof().policy().metrics();
    Proof.Series named = store.write(series("abcdef"), DAY, metrics);
    Proof raw = idle("raw", named);
    Proof hours = idle("1h", named);
    store.write(hours);
    store.write(raw);
    store.write(proof());
    Proof.Series other = store.write(series("b"), DAY, List.of("b"));
    assertThat(store.names()).containsExactly(proof().fileName());
    assertThat(store.idleNames(metrics)).containsExactly(hours.fileName(), raw.fileName());
    assertThat(store.idleNames(List.of("b"))).isEmpty();

    // Another set of series in its file, a damaged one, none.
    Proof.Series unused = store.write(series("abcdeg"), DAY, metrics);
    assertThatThrownBy(() -> store.series(raw))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("the proof " + raw.fileName() + " must have its series, ");
    Files.writeString(directory.resolve(named.file()), "tsdbidle");
    assertThatThrownBy(() -> store.series(raw))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("must begin with tsdbidle");
    store.removeIdle(metrics);
    assertThat(store.idleNames(metrics)).isEmpty();
    assertThat(store.names()).containsExactly(proof().fileName());
    assertThat(directory.resolve(other.file())).exists();
    assertThatThrownBy(() -> store.series(raw))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_INPUT))
        .hasMessageContaining("the proof " + raw.fileName() + " must have its series: ")
        .hasMessageContaining("there is no such file");
    // Storage that does not answer says nothing about them.
    Configuration silent = new Configuration();
    silent.setInt("ipc.client.connect.max.retries", 0);
    assertThatThrownBy(() -> new ProofStore("hdfs://127.0.0.1:1/proofs", silent).series(raw))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE));
  }

  @Test
  void theNameIsThatOfTheDayAndMetrics() throws IOException {
    ProofStore store = new ProofStore(directory.toUri().toString(), new Configuration());
    assertThat(store.names()).isEmpty();
    store.write(proof());
    store.write(proof());
    Files.writeString(directory.resolve("report.json"), "{}");
    Files.createDirectory(directory.resolve("raw-2026-10-27-0123456789ab.json"));
    assertThat(store.names()).containsExactly(proof().fileName());
    Files.move(directory.resolve(proof().fileName()), directory.resolve(NAME));
    assertThatThrownBy(() -> store.read(NAME))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("must be named " + proof().fileName());
    assertThat(
            List.of(
                ProofStore.name("raw", DAY, List.of("app.*")),
                ProofStore.name("raw", DAY.plusSeconds(86400), proof().policy().metrics())))
        .doesNotContain(proof().fileName());
  }

  @Test
  void theDirectoryExists() throws IOException {
    Path none = directory.resolve("none");
    assertThatThrownBy(() -> new ProofStore(none.toString(), new Configuration()))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("--proofs must be a directory that exists, found: " + none);
    assertThatThrownBy(() -> new ProofStore("", new Configuration()))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("--proofs must be a directory that exists, found:");
    String file = Files.createFile(directory.resolve("file")).toUri().toString();
    assertThatThrownBy(() -> new ProofStore(file, new Configuration()).names())
        .isInstanceOf(JobException.class)
        .hasMessageContaining("--proofs must be a directory, found the file " + file);
    ProofStore store = new ProofStore(none.toUri().toString(), new Configuration());
    assertThat(store.names()).isEmpty();
  }
}
