package io.tsdbsuite.bulk.uid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A configuration of another table is refused; what proves nothing is no reason. */
class SchemaCheckTest {
  private static final long BASE = 1_600_002_000;
  private static final String SALTED = "tsd.storage.salt.width=1";
  private static final String FEW = SALTED + " tsd.storage.salt.buckets=5";
  private static final String WIDE =
      "tsd.storage.uid.width.metric=4 tsd.storage.uid.width.tagk=4 tsd.storage.uid.width.tagv=4";
  private static final String NOTHING = "none of %s looked at proves salt and UID widths";

  private final List<byte[]> rows = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final Map<UidKind, Long> counters = new EnumMap<>(UidKind.class);

  private static TsdConfig config(String keys) {
    return TsdConfig.parse(keys.replace(' ', '\n'));
  }

  private static String cell(UidKind kind, byte[] uid) {
    return kind.qualifier() + HexFormat.of().formatHex(uid);
  }

  private byte[] uid(UidKind kind, long number, StorageSchema schema) {
    byte[] uid = Uids.bytes(number, schema.width(kind));
    names.add(cell(kind, uid));
    if (kind != UidKind.METRIC || !schema.randomMetrics()) {
      counters.merge(kind, number, Math::max);
    }
    return uid;
  }

  /** Rows of four series of each metric, in two hours. */
  private void store(String keys, int... metrics) {
    StorageSchema schema = StorageSchema.from(config(keys));
    RowKey rowKey = new RowKey(schema);
    for (int metric : metrics) {
      for (int tag = 1; tag <= 4; tag++) {
        byte[] key = uid(UidKind.TAGK, 1, schema);
        byte[] value = uid(UidKind.TAGV, tag, schema);
        byte[] pair = new byte[key.length + value.length];
        System.arraycopy(key, 0, pair, 0, key.length);
        System.arraycopy(value, 0, pair, key.length, value.length);
        for (int hour = 0; hour < 2; hour++) {
          rows.add(rowKey.encode(uid(UidKind.METRIC, metric, schema), BASE + 3600L * hour, pair));
        }
      }
    }
  }

  private SchemaCheck check(String keys) {
    return new SchemaCheck(
        config(keys),
        kind -> counters.getOrDefault(kind, 0L),
        (kind, uids) -> {
          List<byte[]> found = new ArrayList<>();
          uids.forEach(uid -> found.add(names.contains(cell(kind, uid)) ? uid : null));
          return found;
        });
  }

  private String require(String keys) {
    return check(keys).require(rows);
  }

  private String refusal(String keys) {
    JobException e = catchThrowableOfType(JobException.class, () -> require(keys));
    assertThat(e).as(keys).isNotNull();
    assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
    return String.valueOf(e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        SALTED,
        FEW,
        WIDE,
        WIDE + " " + SALTED,
        "tsd.storage.salt.width=2 tsd.storage.salt.buckets=1000",
        "tsd.storage.uid.width.tagk=1 tsd.storage.uid.width.tagv=2",
        "tsd.core.uid.random_metrics=true"
      })
  void theTablesOwnConfigurationIsAccepted(String keys) {
    store(keys, 1, 2, 3, 70);
    assertThat(require(keys)).isEqualTo("32 of 32 looked at prove salt and UID widths");
  }

  /** The table's keys, the configuration, and what is wrong with it. */
  @ParameterizedTest
  @CsvSource({
    SALTED + ",'',tsd.storage.salt.width must be 1; found 0",
    "''," + SALTED + ",tsd.storage.salt.width must be 0; found 1",
    SALTED + ",tsd.storage.salt.width=2,tsd.storage.salt.width must be 1; found 2",
    "'',tsd.storage.uid.width.metric=4,tsd.storage.uid.width.metric must be 3; found 4",
    "'',tsd.storage.uid.width.tagk=2,tsd.storage.uid.width.tagk must be 3; found 2",
    WIDE + ",tsd.storage.uid.width.metric=4,tsd.storage.uid.width.tagk must be 4; found 3",
    // Of one length, with the base time at one place.
    SALTED + ",tsd.storage.uid.width.metric=4,tsd.storage.salt.width must be 1; found 0",
    "'',tsd.storage.uid.width.tagk=2 tsd.storage.uid.width.tagv=4,"
        + "tsd.storage.uid.width.tagv must be 3; found 4",
    "tsd.core.uid.random_metrics=true "
        + SALTED
        + ",tsd.core.uid.random_metrics=true,"
        + "tsd.storage.salt.width must be 1; found 0",
    "tsd.core.uid.random_metrics=true,"
        + "tsd.core.uid.random_metrics=true tsd.storage.uid.width.metric=5,"
        + "tsd.storage.uid.width.metric must be 3; found 5",
    SALTED
        + ","
        + SALTED
        + " tsd.storage.salt.buckets=10,"
        + "tsd.storage.salt.buckets must be 20; found 10",
    FEW + "," + SALTED + ",tsd.storage.salt.buckets must be 5; found 20",
  })
  void anotherTablesConfigurationIsRefused(String table, String keys, String message) {
    store(table, 1, 2, 3, 70, 5000);
    assertThat(refusal(keys)).contains(message.replace(';', ','));
  }

  @Test
  void theMessageNamesKeysValuesAndARow() {
    store(SALTED, 1);
    String row = HexFormat.of().formatHex(rows.get(0));
    assertThat(refusal("tsd.storage.uid.width.metric=4"))
        .isEqualTo(
            "tsd.storage.salt.width must be 1, found 0; tsd.storage.uid.width.metric must be 3,"
                + " found 4: read so, row "
                + row
                + " of table 'tsdb' has UIDs of table 'tsdb-uid'; as configured, none of 8 rows"
                + " looked at has");
    store(SALTED, 2, 3);
    assertThat(refusal(FEW))
        .matches(
            "tsd.storage.salt.buckets must be 20, found 5: so all \\d+ rows looked at have their"
                + " salt; as configured, row [0-9a-f]{28} of table 'tsdb' would begin with 0[0-4]");
  }

  @Test
  void rowsThatProveNothingAreNoReason() {
    assertThat(require(SALTED)).isEqualTo(NOTHING.formatted(0));
    rows.add("!backup of somebody".getBytes(StandardCharsets.ISO_8859_1));
    rows.add(new byte[] {0});
    rows.add(new byte[40]);
    // Global annotations of a table with salt, and of one without.
    rows.add(HexFormat.of().parseHex("00000000" + Long.toHexString(BASE)));
    rows.add(HexFormat.of().parseHex("000000" + Long.toHexString(BASE)));
    for (String keys : List.of("", SALTED, WIDE)) {
      assertThat(require(keys)).isEqualTo(NOTHING.formatted(5));
    }
    // Names of these rows were deleted; others have UIDs of the same widths.
    store("", 1);
    names.clear();
    uid(UidKind.METRIC, 7, StorageSchema.defaults());
    uid(UidKind.TAGK, 7, StorageSchema.defaults());
    uid(UidKind.TAGV, 7, StorageSchema.defaults());
    assertThat(require(SALTED)).isEqualTo(NOTHING.formatted(13));
    store("", 2);
    assertThat(require("")).isEqualTo("8 of 21 looked at prove salt and UID widths");
  }

  /** As after a load by a wrong configuration: the right one must be accepted then. */
  @Test
  void oneRowOfTheConfigurationIsEnough() {
    store("", 1);
    store(WIDE, 1);
    store(SALTED, 1, 2, 3);
    for (String keys : List.of("", WIDE, SALTED)) {
      assertThat(require(keys)).as(keys).endsWith("of 40 looked at prove salt and UID widths");
    }
    assertThatThrownBy(() -> require("tsd.storage.uid.width.metric=5"))
        .hasMessageContaining("tsd.storage.uid.width.metric must be 3, found 5");
  }

  /** Rows that were stored before the number of buckets was raised stay in their buckets. */
  @Test
  void aChangedNumberOfBucketsIsNoReason() {
    store(FEW, 1, 2, 3);
    store(SALTED, 1, 2, 3);
    assertThat(require(SALTED)).isEqualTo("48 of 48 looked at prove salt and UID widths");
    assertThat(require(FEW)).isEqualTo("48 of 48 looked at prove salt and UID widths");
    assertThat(require(SALTED + " tsd.storage.salt.buckets=10")).isNotEmpty();
  }

  /** They are all in bucket 0. */
  @Test
  void importsOfOpenTsdb22SayNothingAboutBuckets() {
    store(SALTED, 1, 2, 3);
    rows.forEach(row -> row[0] = 0);
    assertThat(require(SALTED)).isEqualTo("24 of 24 looked at prove salt and UID widths");
    assertThat(require(FEW)).isEqualTo("24 of 24 looked at prove salt and UID widths");
    store(SALTED, 4, 5, 6);
    assertThat(require(SALTED)).isEqualTo("48 of 48 looked at prove salt and UID widths");
    assertThat(refusal(FEW)).contains("tsd.storage.salt.buckets must be 20, found 5");
  }

  @Test
  void theUidTableAloneTellsTheWidths() {
    StorageSchema wide = StorageSchema.from(config(WIDE));
    uid(UidKind.METRIC, 1, StorageSchema.defaults());
    uid(UidKind.TAGV, 1_000_000, wide);
    assertThat(refusal("").lines())
        .containsExactly(
            "tsd.storage.uid.width.tagv must be 4, found 3: table 'tsdb-uid' has tagv UID"
                + " 000f4240");
    assertThat(refusal(WIDE).lines())
        .containsExactly(
            "tsd.storage.uid.width.metric must be 3, found 4: table 'tsdb-uid' has metrics UID"
                + " 000001");
    assertThat(refusal(WIDE + " tsd.storage.uid.width.tagv=3").lines()).hasSize(2);
    assertThat(require("tsd.storage.uid.width.tagv=4")).isEqualTo(NOTHING.formatted(0));
    // Random UIDs may have been assigned since.
    assertThat(require(WIDE + " tsd.core.uid.random_metrics=true")).isEqualTo(NOTHING.formatted(0));
    uid(UidKind.METRIC, 2, wide);
    assertThat(require(WIDE)).isEqualTo(NOTHING.formatted(0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        SALTED,
        "tsd.storage.salt.width=8 tsd.storage.salt.buckets=2147483647",
        SALTED + " tsd.storage.salt.buckets=256",
        "tsd.storage.uid.width.metric=1",
        "tsd.storage.uid.width.metric=7 tsd.core.uid.random_metrics=true",
        "tsd.storage.uid.width.metric=8 tsd.core.uid.random_metrics=true"
      })
  void placesAreKeysOfTheConfiguration(String keys) {
    StorageSchema schema = StorageSchema.from(config(keys));
    assertThat(check(keys).places())
        .hasSize(17)
        .allMatch(place -> place.length <= new RowKey(schema).timeOffset());
    counters.put(UidKind.METRIC, Long.MAX_VALUE);
    assertThat(check(keys).places()).hasSize(17);
  }

  @Test
  void placesAreInAllBucketsAndMetrics() {
    counters.put(UidKind.METRIC, 800L);
    List<String> places =
        check(FEW + "0").places().stream().map(HexFormat.of()::formatHex).toList();
    assertThat(places)
        .startsWith("00", "00000001", "06", "06000064", "0c", "0c0000c8")
        .endsWith("2b", "2b0002bc", "32");
  }
}
