package io.tsdbsuite.bulk.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlotOrderTest {
  @Test
  void theOrderIsThatOfRowKeysWithSlotsInTheNumbersAndWithout() {
    long seed = Seed.VALUE;
    System.out.println("SlotOrderTest seed " + seed);
    Random random = new Random(seed);
    TestSeries names = new TestSeries("tsd.storage.salt.width=1");
    SeriesList series = new SeriesList(names);
    HourTable hours = new HourTable();
    for (int i = 0; i < 5000; i++) {
      int number =
          series.number(TestSeries.text("m" + random.nextInt(9), "h=" + random.nextInt(50)));
      if (series.named(number) != null) {
        names.resolve(List.of(series.named(number)));
        series.resolved(number);
      }
      hours.slot(number, random.nextInt(1_193_047));
    }
    series.rank(names.rowKey);

    SlotOrder order = new SlotOrder(hours, series);
    SlotOrder looked = new SlotOrder(hours, series, 0);

    assertThat(order.size()).isEqualTo(hours.size());
    byte[] before = {};
    for (int i = 0; i < order.size(); i++) {
      int slot = order.slot(i);
      assertThat(looked.slot(i)).isEqualTo(slot);
      byte[] key = key(names, series.row(hours.series(slot)).template, hours.hour(slot));
      assertThat(Arrays.compareUnsigned(before, key)).isNegative();
      before = key;
    }
  }

  private static byte[] key(TestSeries names, byte[] template, int hour) {
    byte[] key = template.clone();
    int base = (int) (hour * 3600L);
    for (int i = 0; i < 4; i++) {
      key[names.rowKey.timeOffset() + i] = (byte) (base >>> (24 - 8 * i));
    }
    return key;
  }
}
