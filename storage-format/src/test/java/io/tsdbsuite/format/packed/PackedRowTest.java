package io.tsdbsuite.format.packed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.tsdbsuite.format.Hex;
import io.tsdbsuite.testkit.seed.Seed;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackedRowTest {
  private static final byte[] KEY = Hex.bytes("000001 691d0880 000001 00004d");
  private static final long ASOF = 1763600400000L;
  private static final int MOST = 3840;

  /** A cell of a packed table. */
  private record Part(byte[] qualifier, byte[] value) {
    void addTo(PackedRow row) throws CorruptPartException {
      row.add(KEY, 0, KEY.length, qualifier, 0, qualifier.length, value, 0, value.length);
    }

    /** Another value under the crc that it needs. */
    Part with(byte[] other) {
      CRC32 crc = new CRC32();
      crc.update(KEY);
      crc.update(qualifier, 0, 7);
      crc.update(other);
      byte[] changed = Arrays.copyOf(qualifier, 7);
      return new Part(Hex.bytes(Hex.of(changed) + "%08x".formatted((int) crc.getValue())), other);
    }

    @Override
    public String toString() {
      return Hex.of(qualifier) + " " + Hex.of(value);
    }
  }

  private static Part part(PackedRow row) {
    byte[] value = row.value();
    return new Part(row.qualifier(KEY, 0, KEY.length, value), value);
  }

  private static PackedRow row(int slots) {
    return new PackedRow(PackedRow.kind(""), slots);
  }

  /** All that a row says. */
  private static String text(PackedRow row, int slots) {
    StringBuilder text = new StringBuilder();
    for (int slot = 0; slot < slots; slot++) {
      if (row.has(slot)) {
        text.append(slot).append('@').append(row.asOf(slot)).append('=');
        for (int column = PackedRow.SUM; column <= PackedRow.MAX; column++) {
          text.append(row.value(column, slot)).append(' ');
        }
        text.append(row.count(slot)).append('\n');
      } else if (row.isTakenBack(slot)) {
        text.append(slot).append('@').append(row.asOf(slot)).append(" gone\n");
      }
    }
    return text.toString();
  }

  /** docs/storage.md 7. */
  private static PackedRow vector() {
    PackedRow row = row(24);
    row.put(0, ASOF, 90.5, 0.25, 3, 60);
    row.put(1, ASOF, 88, 1, 4, 60);
    row.takeBack(3, ASOF - 86400000);
    return row;
  }

  @Test
  void vectors() throws Exception {
    Part part = part(vector());
    assertThat(part)
        .hasToString("01019a9ec67e802df70332 0102000400010380b89929214056a000113fd0f011400810103c");
    PackedRow copy = row(24);
    part.addTo(copy);
    assertThat(text(copy, 24))
        .isEqualTo(
            """
            0@1763600400000=90.5 0.25 3.0 60
            1@1763600400000=88.0 1.0 4.0 60
            3@1763514000000 gone
            """);
    assertThat(copy.asOf()).isEqualTo(ASOF);

    PackedRow p99 = new PackedRow(PackedRow.kind("p99"), 24);
    p99.put(5, ASOF, 0.1);
    assertThat(part(p99)).hasToString("06019a9ec67e80c9789ca4 0101050200803fb999999999999a");
    p99.clear();
    assertThat(p99.isEmpty()).isTrue();
    part(fill(p99, 5, 0.1)).addTo(p99);
    assertThat(p99.value(PackedRow.FURTHER, 5)).isEqualTo(0.1);

    PackedRow last = row(MOST);
    last.takeBack(MOST - 1, ASOF);
    assertThat(part(last)).hasToString("01019a9ec67e8099e5f18b 0101ff1d0300");
  }

  private static PackedRow fill(PackedRow row, int slot, double value) {
    row.put(slot, ASOF, value);
    return row;
  }

  @Test
  void kinds() {
    assertThat(List.of("", "p50", "p75", "p90", "p95", "p99", "p999", "first", "last"))
        .extracting(PackedRow::kind)
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThatThrownBy(() -> PackedRow.kind("sum"))
        .hasMessage("no packed part has the aggregator sum");
  }

  @Test
  void arguments() {
    PackedRow row = row(24);
    assertThatThrownBy(row::value).hasMessage("a packed part must have a slot");
    for (long time : new long[] {-1, 1L << 48}) {
      assertThatThrownBy(() -> row.takeBack(0, time))
          .hasMessage("asOf must be milliseconds since the epoch on 48 bits, found " + time);
    }
    assertThatThrownBy(() -> row.put(24, ASOF, 1, 1, 1, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(row.isEmpty()).isTrue();
    assertThat(row.has(0)).isFalse();
    assertThat(row.isTakenBack(0)).isFalse();
    assertThat(row.asOf(0)).isEqualTo(-1);
  }

  /** Numbers of many forms: whole, with decimals, floats, of any bits, equal ones. */
  private static double number(Random random, int form) {
    return switch (form) {
      case 0 -> random.nextInt(100);
      case 1 -> random.nextInt(10000) / 100.0;
      case 2 -> (float) random.nextGaussian();
      case 3 -> Double.longBitsToDouble(random.nextLong());
      case 4 -> 42.17;
      case 5 -> random.nextBoolean() ? 0.0 : -0.0;
      default -> 1e9 * random.nextGaussian();
    };
  }

  private static void draw(Random random, PackedRow row, int slots) {
    int[] forms = random.ints(3, 0, 7).toArray();
    long counts = random.nextLong();
    boolean gaps = random.nextBoolean();
    int many = random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(slots);
    for (int slot = random.nextInt(slots), n = 0; n < many && slot < slots; slot++, n++) {
      long asOf = ASOF - (random.nextInt(3) == 0 ? random.nextInt(3) * 86400000L : 0);
      if (random.nextInt(10) == 0) {
        row.takeBack(slot, asOf);
      } else if (!gaps || random.nextInt(4) > 0) {
        double sum = number(random, forms[0]);
        double min = number(random, forms[1]);
        double max = number(random, forms[2]);
        long count = counts % 3 == 0 ? random.nextLong() : counts % 3 == 1 ? 60 : 50 + n;
        row.put(slot, asOf, sum, min, max, count);
      }
    }
    if (row.isEmpty()) {
      row.takeBack(slots - 1, 0);
    }
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    Random random = Seed.random();
    for (int i = 0; i < Seed.times(3_000, 100_000); i++) {
      int slots = i % 500 == 0 ? MOST : 1 + random.nextInt(40);
      PackedRow row = row(slots);
      draw(random, row, slots);
      Part part = part(row);

      PackedRow copy = row(slots);
      // In the middle of other bytes, as in a block of an HFile.
      byte[] block = new byte[KEY.length + part.qualifier().length + part.value().length + 2];
      System.arraycopy(KEY, 0, block, 1, KEY.length);
      System.arraycopy(part.qualifier(), 0, block, 1 + KEY.length, 11);
      System.arraycopy(part.value(), 0, block, 12 + KEY.length, part.value().length);
      copy.add(
          block,
          1,
          KEY.length,
          block,
          1 + KEY.length,
          11,
          block,
          12 + KEY.length,
          part.value().length);

      assertThat(text(copy, slots)).as(Seed.describe(i)).isEqualTo(text(row, slots));
      assertThat(part(copy)).as(Seed.describe(i)).hasToString(part.toString());
      part.addTo(copy);
      assertThat(part(copy)).as("twice, " + Seed.describe(i)).hasToString(part.toString());
    }
  }

  @Test
  void oneContentIsOneByteString() {
    Random random = Seed.random();
    for (int i = 0; i < 1_000; i++) {
      List<Integer> slots = new ArrayList<>();
      random.ints(1 + random.nextInt(24), 0, 24).forEach(slots::add);
      String expected = "";
      for (int order = 0; order < 3; order++) {
        PackedRow row = row(24);
        row.put(random.nextInt(24), ASOF - 1000, 1, 1, 1, 1);
        row.clear();
        Collections.shuffle(slots, random);
        for (int slot : slots) {
          row.put(slot, ASOF - slot % 3, slot / 3.0, slot, slot, slot);
        }
        expected = order == 0 ? part(row).toString() : expected;
        assertThat(part(row)).as(Seed.describe(i)).hasToString(expected);
      }
    }
  }

  @Test
  void cutsFlippedBitsAndLongerValuesAreRefused() {
    PackedRow row = vector();
    row.put(20, ASOF - 1, 1 / 3.0, -0.0, 1e300, 1L << 60);
    Part part = part(row);
    for (int length = 0; length < part.value().length; length++) {
      assertRefused(new Part(part.qualifier(), Arrays.copyOf(part.value(), length)));
      assertRefused(part.with(Arrays.copyOf(part.value(), length)));
    }
    for (int more = 1; more < 20; more++) {
      assertRefused(
          new Part(part.qualifier(), Arrays.copyOf(part.value(), part.value().length + more)));
      assertRefused(part.with(Arrays.copyOf(part.value(), part.value().length + more)));
    }
    for (int length = 0; length < 20; length++) {
      if (length != 11) {
        assertRefused(new Part(Arrays.copyOf(part.qualifier(), length), part.value()));
      }
    }
    for (int bit = 0; bit < 8 * part.value().length; bit++) {
      assertRefused(new Part(part.qualifier(), flipped(part.value(), bit)));
    }
    for (int bit = 0; bit < 8 * part.qualifier().length; bit++) {
      assertRefused(new Part(flipped(part.qualifier(), bit), part.value()));
    }
    for (int bit = 0; bit < 8 * KEY.length; bit++) {
      byte[] key = flipped(KEY, bit);
      byte[] q = part.qualifier();
      byte[] v = part.value();
      assertThatThrownBy(() -> row(24).add(key, 0, key.length, q, 0, 11, v, 0, v.length))
          .isInstanceOf(CorruptPartException.class);
    }
  }

  private static byte[] flipped(byte[] bytes, int bit) {
    byte[] changed = bytes.clone();
    changed[bit / 8] ^= (byte) (1 << bit % 8);
    return changed;
  }

  private static void assertRefused(Part part) {
    PackedRow row = row(24);
    assertThatThrownBy(() -> part.addTo(row))
        .as(part.toString())
        .isInstanceOf(CorruptPartException.class);
    assertThat(row.isEmpty()).as("nothing of %s counts", part).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | version must be 1, found no value",
        "02 | version must be 1, found 2",
        "01 | runs must be of slots 0 to 23, found 1 bytes",
        "0100 | runs must be of slots 0 to 23, found 2 bytes",
        "0101 00 00 00 | runs must be of slots 0 to 23, found 5 bytes",
        "0101 00 01 00 | runs must be of slots 0 to 23, found 5 bytes",
        "0101 16 05 00 | ''",
        "0101 17 05 00 | runs must be of slots 0 to 23, found 5 bytes",
        "0101 ffffffffffffffff7f 03 00 | runs must be of slots 0 to 23, found 13 bytes",
        "0101 00 ffffffffffff7f 00 | runs must be of slots 0 to 23, found 11 bytes",
        "0101 00 03 80fd99f6a933 | ''",
        "0101 80808080808000 03 00 | ''",
        "0101 8080808080808000 03 00 | runs must be of slots 0 to 23, found 12 bytes",
        "0101 00 03 81fd99f6a933 | runs must be of slots 0 to 23, found 10 bytes",
        "ffffffffff7f 00 03 00 | version must be 1, found -1",
        "01ffffffffffff7f 00 03 00 | runs must be of slots 0 to 23, found 11 bytes",
        "0101 00 02 00 00 00 00 00 | ''",
        "0101 00 02 00 00 00 00 | value must end after its columns, found 8 bytes",
        "0101 00 02 00 00 00 00 00 00 | value must end after its columns, found 10 bytes",
        "0101 00 02 00 45 111111111111111111 00 00 00"
            + " | value must end after its columns, found 18 bytes"
      })
  void rules(String value, String rule) {
    PackedRow row = row(24);
    row.takeBack(0, ASOF);
    Part part = part(row).with(Hex.bytes(value));
    if (rule.isEmpty()) {
      assertThatCode(() -> part.addTo(row)).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> part.addTo(row))
          .isInstanceOf(CorruptPartException.class)
          .hasMessage("packed cell " + Hex.of(part.qualifier()) + ": " + rule);
    }
  }

  @Test
  void messages() {
    Part part = part(vector());
    assertThatThrownBy(() -> part.addTo(new PackedRow(PackedRow.kind("p99"), 24)))
        .hasMessage("packed cell 01019a9ec67e802df70332: kind must be 6, found 1");
    assertThatThrownBy(() -> part.addTo(row(3)))
        .hasMessage(
            "packed cell 01019a9ec67e802df70332: runs must be of slots 0 to 2, found 26 bytes");
    assertThatThrownBy(() -> new Part(new byte[3], part.value()).addTo(row(24)))
        .hasMessage("packed cell 000000: qualifier must have 11 bytes, found 3");
    assertThatThrownBy(() -> new Part(part.qualifier(), new byte[] {1, 1}).addTo(row(24)))
        .hasMessageMatching(
            "packed cell 01019a9ec67e802df70332: crc must be that of key and value, found .{8}");
  }

  /** Bytes of others under a right crc are refused, or read without another exception. */
  @Test
  void changedBytesWithARightCrc() throws Exception {
    Random random = Seed.random();
    int read = 0;
    for (int i = 0; i < Seed.times(50_000, 2_000_000); i++) {
      PackedRow row = row(24);
      draw(random, row, 24);
      Part part = part(row);
      byte[] changed = Arrays.copyOf(part.value(), part.value().length + random.nextInt(2));
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        changed[random.nextInt(Math.min(changed.length, 12))] = (byte) random.nextInt(256);
      }
      PackedRow copy = row(24);
      try {
        part.with(changed).addTo(copy);
        read++;
        PackedRow again = row(24);
        part(copy).addTo(again);
        assertThat(text(again, 24)).as(Seed.describe(i)).isEqualTo(text(copy, 24));
      } catch (CorruptPartException e) {
        assertThat(copy.isEmpty()).as(Seed.describe(i)).isTrue();
      }
    }
    assertThat(read).isPositive();
  }

  /** One entry of a slot. */
  private record Entry(int slot, long asOf, boolean isGone, double sum, long count) {
    void addTo(PackedRow row) {
      if (isGone) {
        row.takeBack(slot, asOf);
      } else {
        row.put(slot, asOf, sum, sum / 2, sum * 2, count);
      }
    }
  }

  /** Plain cells by HBase's rule: the newest counts, and a delete marker hides its time, too. */
  private static String plain(List<Entry> entries, int slots) {
    TreeMap<Integer, Entry> newest = new TreeMap<>();
    for (Entry each : entries) {
      Entry old = newest.get(each.slot());
      boolean wins =
          old == null
              || each.asOf() > old.asOf()
              || (each.asOf() == old.asOf()
                  && (each.isGone() || (!old.isGone() && each.sum() > old.sum())));
      if (wins) {
        newest.put(each.slot(), each);
      }
    }
    PackedRow row = row(slots);
    newest.values().forEach(each -> each.addTo(row));
    return text(row, slots);
  }

  /**
   * Parts of writers that know nothing of each other, repeated, in any order, with folds of some of
   * them between: always the plain cells' rollups.
   */
  @Test
  void anyPartsInAnyOrderAreThePlainCells() throws Exception {
    Random random = Seed.random();
    for (int i = 0; i < Seed.times(1_000, 50_000); i++) {
      int slots = 1 + random.nextInt(24);
      List<Entry> entries = new ArrayList<>();
      List<Part> parts = new ArrayList<>();
      for (int n = 1 + random.nextInt(12); n > 0; n--) {
        PackedRow row = row(slots);
        long asOf = ASOF + random.nextInt(6);
        for (int slot = random.nextInt(slots); slot < slots; slot += 1 + random.nextInt(3)) {
          double sum = random.nextInt(4) / 4.0;
          long age = random.nextInt(3) == 0 ? random.nextInt(3) : 0;
          Entry entry = new Entry(slot, asOf - age, random.nextInt(5) == 0, sum, (long) sum + 1);
          entries.add(entry);
          entry.addTo(row);
        }
        parts.add(part(row));
      }
      String expected = plain(entries, slots);

      String first = "";
      for (int order = 0; order < 3; order++) {
        List<Part> some = new ArrayList<>(parts);
        some.add(parts.get(random.nextInt(parts.size())));
        Collections.shuffle(some, random);
        if (order == 2) {
          fold(random, some, slots);
        }
        PackedRow view = row(slots);
        for (Part part : some) {
          part.addTo(view);
        }
        assertThat(text(view, slots)).as(Seed.describe(i)).isEqualTo(expected);
        first = order == 0 ? part(view).toString() : first;
        assertThat(part(view)).as(Seed.describe(i)).hasToString(first);
      }
    }
  }

  /** Replaces some parts by one of them; some of these come again. */
  private static void fold(Random random, List<Part> parts, int slots) throws Exception {
    PackedRow folded = row(slots);
    for (int n = 1 + random.nextInt(parts.size()); n > 0; n--) {
      Part part = parts.get(random.nextInt(parts.size()));
      part.addTo(folded);
      if (random.nextBoolean()) {
        parts.remove(part);
      }
      if (parts.isEmpty()) {
        break;
      }
    }
    parts.add(random.nextInt(parts.size() + 1), part(folded));
  }

  @Test
  void aPartAllocatesNothingForAValue() throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    PackedRow row = row(MOST);
    for (int slot = 0; slot < MOST; slot++) {
      row.put(slot, ASOF, slot / 7.0, slot, slot, 60);
    }
    Part part = part(row);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 10; round++) {
      long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      row.clear();
      part.addTo(row);
      part = part(row);
      long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      least = Math.min(least, after - before);
    }
    assertThat(least).isLessThan(part.value().length + 2_000);
  }
}
