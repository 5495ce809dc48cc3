package io.tsdbsuite.rollup.uid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UidDictionaryTest {
  private final long seed = Seed.VALUE;
  private final Random random = new Random(seed);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void answersLikeAMap(int width) {
    for (Shape shape : Shape.values()) {
      NavigableSet<Long> uids = shape.uids(random, width);
      Map<Long, String> expected = new HashMap<>();
      UidDictionary.Builder builder = new UidDictionary.Builder(width, width, width);
      for (long uid : uids) {
        String name = "n" + Long.toHexString(random.nextLong()) + "é".repeat(random.nextInt(3));
        expected.put(uid, name);
        add(builder, UidKind.TAGV, uid, width, name);
      }
      UidDictionary dictionary = builder.build();

      String what = shape + ", width " + width + ", seed " + seed;
      assertThat(dictionary.size(UidKind.TAGV)).as(what).isEqualTo(expected.size());
      assertThat(dictionary.size(UidKind.TAGK)).as(what).isZero();
      expected.forEach(
          (uid, name) -> assertThat(name(dictionary, UidKind.TAGV, uid)).as(what).isEqualTo(name));
      for (long uid : uids) {
        for (long near : new long[] {uid - 1, uid + 1, uid ^ Long.MIN_VALUE, random.nextLong()}) {
          assertThat(name(dictionary, UidKind.TAGV, near)).as(what).isEqualTo(expected.get(near));
        }
      }
      assertThat(name(dictionary, UidKind.METRIC, uids.first())).as(what).isNull();
      List<Long> shown = new ArrayList<>();
      dictionary.forEach(
          UidKind.TAGV,
          (uid, name, offset, length) -> {
            shown.add(uid);
            assertThat(new String(name, offset, length, StandardCharsets.ISO_8859_1))
                .as(what)
                .isEqualTo(expected.get(uid));
          });
      assertThat(shown).as(what).containsExactlyElementsOf(uids);
    }
  }

  /** How UIDs lie. */
  private enum Shape {
    DENSE,
    HOLES,
    RANDOM,
    LIMITS;

    NavigableSet<Long> uids(Random random, int width) {
      TreeSet<Long> uids = new TreeSet<>(Long::compareUnsigned);
      long mask = width == 8 ? -1 : (1L << (8 * width)) - 1;
      int count = (int) Math.min(3000, mask >>> 1);
      switch (this) {
        case DENSE -> {
          long first = random.nextLong() & mask;
          for (int i = 0; i < count; i++) {
            uids.add((first + i) & mask);
          }
        }
        case HOLES -> {
          for (int i = 1; i <= count; i++) {
            if (random.nextInt(10) > 0) {
              uids.add(i & mask);
            }
          }
        }
        case RANDOM -> {
          for (int i = 0; i < count; i++) {
            uids.add(random.nextLong() & mask);
          }
        }
        case LIMITS -> {
          uids.add(0L);
          uids.add(mask);
          uids.add(mask >>> 1);
          uids.add((mask >>> 1) + 1);
        }
      }
      return uids;
    }
  }

  @Test
  void crossesSegments() throws Exception {
    UidDictionary.Builder builder = new UidDictionary.Builder(3, 3, 3);
    int count = 200_000;
    for (int uid = 1; uid <= count; uid++) {
      if (uid % 70_000 != 0) {
        add(builder, UidKind.METRIC, uid, 3, "metric." + uid);
      }
    }
    UidDictionary dictionary = roundTrip(builder.build());

    assertThat(dictionary.size(UidKind.METRIC)).isEqualTo(count - 2);
    for (int uid = 0; uid <= count + 1; uid++) {
      boolean named = uid > 0 && uid <= count && uid % 70_000 != 0;
      assertThat(name(dictionary, UidKind.METRIC, uid)).isEqualTo(named ? "metric." + uid : null);
    }
  }

  @Test
  void closesASegmentBeforeItsNamesGrowTooLarge() {
    UidDictionary.Builder builder = new UidDictionary.Builder(3, 3, 3);
    byte[] name = new byte[30 << 20];
    for (int i = 1; i <= 4; i++) {
      name[0] = (byte) i;
      builder.add(UidKind.TAGV, new byte[] {0, 0, (byte) i}, 0, 3, name, 0, name.length);
    }
    UidDictionary dictionary = builder.build();

    for (int i = 1; i <= 4; i++) {
      ByteSlice slice = new ByteSlice();
      assertThat(dictionary.lookup(UidKind.TAGV, i, slice)).isTrue();
      assertThat(slice.length).isEqualTo(name.length);
      assertThat(slice.array[slice.offset]).isEqualTo((byte) i);
      assertThat(slice.array.length).isLessThanOrEqualTo(64 << 20);
    }
  }

  @Test
  void staysSmallForRandomUids() {
    UidDictionary.Builder builder = new UidDictionary.Builder(7, 3, 3);
    long uid = 0;
    for (int i = 0; i < 100_000; i++) {
      uid += 1 + random.nextInt(1_000_000);
      add(builder, UidKind.METRIC, uid, 7, "a.name.of.thirty.bytes.".concat("1234567"));
    }
    assertThat(builder.build().bytes()).isLessThanOrEqualTo(64 * 100_000);
  }

  @Test
  void leavesTheSliceWhenThereIsNoName() {
    UidDictionary dictionary = new UidDictionary.Builder(3, 3, 3).build();
    ByteSlice slice = new ByteSlice();
    slice.set(new byte[] {'x'});
    assertThat(dictionary.lookup(UidKind.METRIC, 1, slice)).isFalse();
    assertThat(slice).hasToString("x");
    assertThat(dictionary.bytes()).isLessThan(1000);
  }

  @Test
  void namesAWrongWidth() {
    UidDictionary.Builder builder = new UidDictionary.Builder(4, 3, 3);
    assertThatThrownBy(() -> add(builder, UidKind.METRIC, 0x1ff, 3, "m"))
        .isInstanceOf(UidWidthException.class)
        .hasMessageContaining("metric UID 0001ff of 3 bytes")
        .hasMessageContaining("the schema says 4 bytes")
        .hasMessageContaining("tsd.storage.uid.width.metric");
  }

  @Test
  void refusesWhatDoesNotAscend() {
    UidDictionary.Builder builder = new UidDictionary.Builder(3, 3, 8);
    add(builder, UidKind.METRIC, 7, 3, "m");
    assertThatThrownBy(() -> add(builder, UidKind.METRIC, 7, 3, "m"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0x7 comes after 0x7");
    assertThatThrownBy(() -> add(builder, UidKind.METRIC, 6, 3, "m"))
        .isInstanceOf(IllegalArgumentException.class);
    // Unsigned: the top bit is above, not below.
    add(builder, UidKind.TAGV, Long.MAX_VALUE, 8, "v");
    add(builder, UidKind.TAGV, Long.MIN_VALUE, 8, "w");
    assertThat(name(builder.build(), UidKind.TAGV, Long.MIN_VALUE)).isEqualTo("w");
  }

  @Test
  void refusesWidthsThatNoSchemaHas() {
    assertThatThrownBy(() -> new UidDictionary.Builder(3, 0, 3))
        .hasMessageContaining("tagk must be 1 to 8 bytes, found 0");
    assertThatThrownBy(() -> new UidDictionary.Builder(3, 3, 9)).hasMessageContaining("found 9");
  }

  private static void add(
      UidDictionary.Builder builder, UidKind kind, long uid, int width, String name) {
    byte[] bytes = new byte[width + 2];
    for (int i = width, shift = 0; i > 0; i--, shift += 8) {
      bytes[i] = (byte) (uid >>> shift);
    }
    byte[] latin1 = ("<" + name + ">").getBytes(StandardCharsets.ISO_8859_1);
    builder.add(kind, bytes, 1, width, latin1, 1, latin1.length - 2);
  }

  private static String name(UidDictionary dictionary, UidKind kind, long uid) {
    ByteSlice slice = new ByteSlice();
    return dictionary.lookup(kind, uid, slice) ? slice.toString() : null;
  }

  static UidDictionary roundTrip(UidDictionary dictionary)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(dictionary);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (UidDictionary) in.readObject();
    }
  }
}
