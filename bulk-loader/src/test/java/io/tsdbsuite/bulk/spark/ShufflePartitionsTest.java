package io.tsdbsuite.bulk.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.input.Formats;
import io.tsdbsuite.bulk.input.InputFile;
import io.tsdbsuite.bulk.input.InputFiles;
import io.tsdbsuite.bulk.input.InputPart;
import io.tsdbsuite.bulk.input.InputUnit;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.hbase.load.RegionStarts;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ShufflePartitionsTest {
  private static byte[] key(byte kind, byte... inner) {
    return ShuffleKey.of(kind, inner, inner.length, 7, 3);
  }

  @Test
  void rowsGoToTheirRegion() {
    List<byte[]> starts = new ArrayList<>(List.of(new byte[0]));
    for (int i = 1; i < 200; i++) {
      starts.add(new byte[] {(byte) i, 5});
    }
    ShufflePartitions partitions =
        new ShufflePartitions(new RegionStarts(starts.toArray(byte[][]::new)), 3);
    assertThat(partitions.numPartitions()).isEqualTo(200 + 3 + 1);
    long seed = Seed.VALUE;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      byte[] row = new byte[1 + random.nextInt(4)];
      random.nextBytes(row);
      int region = 0;
      while (region + 1 < 200 && Arrays.compareUnsigned(starts.get(region + 1), row) <= 0) {
        region++;
      }
      assertThat(partitions.getPartition(key(ShuffleKey.ROW, row))).isEqualTo(region);
      assertThat(partitions.getPartition(key(ShuffleKey.SERIES, row))).isBetween(200, 202);
    }
    for (int i = 0; i < 200; i++) {
      assertThat(partitions.getPartition(key(ShuffleKey.ROW, starts.get(i)))).isEqualTo(i);
    }
    assertThat(partitions.getPartition(key(ShuffleKey.BOOKS))).isEqualTo(203);
  }

  @Test
  void keysKeepTheirParts() {
    byte[] key = ShuffleKey.of(ShuffleKey.ROW, new byte[] {1, -1, 9}, 2, 1 << 30, 0x01020384);
    assertThat(ShuffleKey.kind(key)).isEqualTo(ShuffleKey.ROW);
    assertThat(ShuffleKey.inner(key)).containsExactly(1, -1);
    assertThat(ShuffleKey.unit(key)).isEqualTo(1 << 30);
    byte[] later = ShuffleKey.of(ShuffleKey.ROW, new byte[] {1, -1}, 2, 1 << 30, 0x01020385);
    byte[] nextUnit = ShuffleKey.of(ShuffleKey.ROW, new byte[] {1, -1}, 2, (1 << 30) + 1, 0);
    byte[] longer = ShuffleKey.of(ShuffleKey.ROW, new byte[] {1, -1, 0}, 3, 0, 0);
    assertThat(ShuffleKey.ORDER.compare(key, later)).isNegative();
    assertThat(ShuffleKey.ORDER.compare(later, nextUnit)).isNegative();
    assertThat(ShuffleKey.ORDER.compare(nextUnit, longer)).isNegative();
    assertThat(ShuffleKey.sameInner(key, nextUnit)).isTrue();
    assertThat(ShuffleKey.sameInner(key, longer)).isFalse();
  }

  @Test
  void unitsAreReadElsewhereAsTheyWereFound() {
    Configuration conf = new Configuration(false);
    InputFile plain = InputFiles.again("/data/a.txt", 1000, 17, conf);
    InputFile remote = InputFiles.again("hdfs://nn/b.json.gz", 10, 18, conf);
    InputUnit unit =
        new InputUnit(
            12, List.of(new InputPart(plain, 500, 700), new InputPart(remote, 0, Long.MAX_VALUE)));
    InfluxContexts contexts = new InfluxContexts(InfluxChoice.NONE);
    Formats formats =
        Formats.known(
            Map.of(plain, Format.OPENTSDB, remote, Format.JSON), ParseOptions.DEFAULT, contexts);
    UnitCodec.Sent sent =
        UnitCodec.read(UnitCodec.write(unit, formats), conf, ParseOptions.DEFAULT, contexts);
    assertThat(sent.unit().ordinal()).isEqualTo(12);
    assertThat(sent.unit().parts()).extracting(InputPart::from).containsExactly(500L, 0L);
    assertThat(sent.unit().parts()).extracting(InputPart::to).containsExactly(700L, Long.MAX_VALUE);
    InputFile file = sent.unit().parts().get(1).file();
    assertThat(file.name()).isEqualTo("hdfs://nn/b.json.gz");
    assertThat(file.size()).isEqualTo(10);
    assertThat(file.modifiedMillis()).isEqualTo(18);
    assertThat(sent.formats().of(file)).isEqualTo(Format.JSON);
  }
}
