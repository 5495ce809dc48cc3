package io.tsdbsuite.format.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.format.uid.UidKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorageSchemaTest {
  @Test
  void defaultsAreTheTsds() {
    StorageSchema schema = StorageSchema.defaults();

    assertThat(schema.metricWidth()).isEqualTo(3);
    assertThat(schema.tagkWidth()).isEqualTo(3);
    assertThat(schema.tagvWidth()).isEqualTo(3);
    assertThat(schema.saltWidth()).isZero();
    assertThat(schema.saltBuckets()).isEqualTo(20);
    assertThat(schema.randomMetrics()).isFalse();
    assertThat(schema.dataTable()).isEqualTo("tsdb");
    assertThat(schema.uidTable()).isEqualTo("tsdb-uid");
    assertThat(schema.metaTable()).isEqualTo("tsdb-meta");
    assertThat(schema.treeTable()).isEqualTo("tsdb-tree");
    assertThat(schema.fixDuplicates()).isFalse();
    assertThat(schema.useOtsdbTimestamp()).isFalse();
    assertThat(schema.useMaxValue()).isTrue();
    assertThat(schema.rollupsEnabled()).isFalse();
    assertThat(schema.rollupConfig()).isNull();
    assertThat(schema.tagRaw()).isFalse();
    assertThat(schema.aggTagKey()).isEqualTo("_aggregate");
    assertThat(schema.rawAggTagValue()).isEqualTo("RAW");
  }

  @Test
  void everyKeyIsRead() {
    StorageSchema schema =
        StorageSchema.from(
            TsdConfig.parse(
                """
                # comment
                tsd.storage.uid.width.metric = 4\s
                tsd.storage.uid.width.tagk=2
                tsd.storage.uid.width.tagv : 5
                tsd.storage.salt.width=1
                tsd.storage.salt.buckets=256
                tsd.core.uid.random_metrics=true
                tsd.storage.hbase.data_table=d
                tsd.storage.hbase.uid_table=u
                tsd.storage.hbase.meta_table=m
                tsd.storage.hbase.tree_table=t
                tsd.storage.fix_duplicates=TRUE
                tsd.storage.use_otsdb_timestamp=1
                tsd.storage.use_max_value=no
                tsd.rollups.enable=Yes
                tsd.rollups.config=/etc/rollup.json
                tsd.rollups.tag_raw=yes
                tsd.rollups.agg_tag_key=_agg
                tsd.rollups.raw_agg_tag_value=raw
                """));

    assertThat(schema.metricWidth()).isEqualTo(4);
    assertThat(schema.tagkWidth()).isEqualTo(2);
    assertThat(schema.tagvWidth()).isEqualTo(5);
    assertThat(schema.saltWidth()).isEqualTo(1);
    assertThat(schema.saltBuckets()).isEqualTo(256);
    assertThat(schema.width(UidKind.METRIC)).isEqualTo(4);
    assertThat(schema.width(UidKind.TAGK)).isEqualTo(2);
    assertThat(schema.width(UidKind.TAGV)).isEqualTo(5);
    assertThat(StorageSchema.widthKey(UidKind.TAGV)).isEqualTo("tsd.storage.uid.width.tagv");
    assertThat(schema.randomMetrics()).isTrue();
    assertThat(schema.dataTable()).isEqualTo("d");
    assertThat(schema.uidTable()).isEqualTo("u");
    assertThat(schema.metaTable()).isEqualTo("m");
    assertThat(schema.treeTable()).isEqualTo("t");
    assertThat(schema.fixDuplicates()).isTrue();
    assertThat(schema.useOtsdbTimestamp()).isTrue();
    assertThat(schema.useMaxValue()).isFalse();
    assertThat(schema.rollupsEnabled()).isTrue();
    assertThat(schema.rollupConfig()).isEqualTo("/etc/rollup.json");
    assertThat(schema.tagRaw()).isTrue();
    assertThat(schema.aggTagKey()).isEqualTo("_agg");
    assertThat(schema.rawAggTagValue()).isEqualTo("raw");
  }

  @Test
  void allProblemsComeAtOnce() {
    TsdConfig config =
        TsdConfig.parse(
            """
            tsd.storage.uid.width.metric=9
            tsd.storage.uid.width.tagk=three
            tsd.storage.salt.width=1
            tsd.storage.salt.buckets=257
            tsd.storage.hbase.data_table=
            tsd.storage.fix_duplicates=on
            tsd.rollups.enable=true
            """);

    SchemaException e =
        catchThrowableOfType(SchemaException.class, () -> StorageSchema.from(config));

    assertThat(e.problems())
        .containsExactly(
            "tsd.storage.uid.width.metric: must be a whole number from 1 to 8, found '9'",
            "tsd.storage.uid.width.tagk: must be a whole number from 1 to 8 (not a number),"
                + " found 'three'",
            "tsd.storage.salt.buckets: at most 256 fit in 1 byte(s) of salt, found '257'",
            "tsd.storage.hbase.data_table: must be a name without blanks around it, found ''",
            "tsd.storage.fix_duplicates: must be true, yes, 1, false, no or 0 (the TSD reads it"
                + " as false), found 'on'",
            "tsd.rollups.config: compulsory when tsd.rollups.enable is on, found nothing");
    assertThat(e).hasMessageContainingAll(e.problems().toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "", "99999999999"})
  void saltBucketsAreAtLeastOne(String buckets) {
    TsdConfig config = TsdConfig.parse("tsd.storage.salt.buckets=" + buckets);

    if (buckets.isEmpty()) {
      assertThat(StorageSchema.from(config).saltBuckets()).isEqualTo(20);
    } else {
      assertThatThrownBy(() -> StorageSchema.from(config))
          .isInstanceOf(SchemaException.class)
          .hasMessageContaining("tsd.storage.salt.buckets")
          .hasMessageContaining("at least 1");
    }
  }

  @Test
  void overridesDoNotChangeTheOriginal() {
    TsdConfig config = TsdConfig.parse("tsd.storage.uid.width.metric=4");
    TsdConfig changed = config.with("tsd.storage.uid.width.metric", "5");

    assertThat(config.get("tsd.storage.uid.width.metric")).isEqualTo("4");
    assertThat(changed.get("tsd.storage.uid.width.metric")).isEqualTo("5");
    assertThat(changed.get("no.such.key")).isNull();
    assertThat(StorageSchema.KEYS).containsAll(changed.keys());
  }

  @Test
  void filesAreLatin1(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("opentsdb.conf");
    Files.write(
        file, "tsd.storage.hbase.data_table=donn\u00e9es".getBytes(StandardCharsets.ISO_8859_1));

    assertThat(StorageSchema.from(TsdConfig.load(file)).dataTable()).isEqualTo("donn\u00e9es");
    assertThatThrownBy(() -> TsdConfig.load(dir.resolve("absent")))
        .isInstanceOf(java.io.IOException.class);
  }

  @Test
  void schemasTravel() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(StorageSchema.from(TsdConfig.parse("tsd.storage.salt.width=1")));
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(((StorageSchema) in.readObject()).saltWidth()).isEqualTo(1);
    }
  }
}
