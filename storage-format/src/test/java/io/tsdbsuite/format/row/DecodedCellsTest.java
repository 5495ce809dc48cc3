package io.tsdbsuite.format.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Drawn and damaged compacted cells: {@link CompactedCell#decode} gives the points, sums and errors
 * of {@link OneByOne}, bit for bit.
 */
class DecodedCellsTest {
  private static final int CELLS = 20_000;
  private static final int[] WIDTHS = {1, 2, 4, 8, 4, 8};
  private static final int FIRST_FLOAT = 4;
  private static final long[] BITS = {
    0,
    -1,
    1L << 63,
    (1L << 53) + 1,
    Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY),
    Double.doubleToRawLongBits(0.1),
    Float.floatToRawIntBits(-0f),
    Float.floatToRawIntBits(0.1f),
    // Signalling: a conversion to another type would change the bits.
    0x7f800001L,
    0x7ff0000000000001L
  };

  private final PointBuffer points = new PointBuffer();
  private final PointBuffer expected = new PointBuffer();
  private final PointBuffer found = new PointBuffer();
  private int corrupt;

  @Test
  void equalPointsSumsAndErrors() {
    Random random = Seed.random();
    for (int i = 0; i < CELLS; i++) {
      compare(random, Seed.describe(i));
    }
    assertThat(corrupt).isBetween(CELLS / 4, CELLS / 4 * 3);
  }

  /** A TSD may run on Java 8, which has no {@code VarHandle}. */
  @Test
  void equalOnJava8() throws Exception {
    try (Java8Loader java8 = new Java8Loader()) {
      Class<?> loaded = java8.loadClass(DecodedCellsTest.class.getName());
      Constructor<?> test = loaded.getDeclaredConstructor();
      Method equal = loaded.getDeclaredMethod("equalPointsSumsAndErrors");
      test.setAccessible(true);
      equal.setAccessible(true);
      equal.invoke(test.newInstance());
      assertThat(java8.hidden).as("a class of Java 9 was asked for").isTrue();
    }
  }

  private void compare(Random random, String what) {
    fill(random);
    CompactedCell cell = CompactedCell.encode(points);
    byte[] qualifier = cell.qualifier();
    byte[] value = cell.value();
    if (random.nextBoolean()) {
      qualifier = damaged(qualifier, random);
      value = Arrays.copyOf(value, Math.max(1, value.length + random.nextInt(5) - 2));
    }
    // The cell lies in the middle of an array, or ends with it.
    int qOff = random.nextInt(9);
    byte[] q = surrounded(qualifier, qOff, random);
    int vOff = random.nextInt(9);
    byte[] v = surrounded(value, vOff, random);
    expected.clear();
    found.clear();
    for (int before = random.nextInt(3); before > 0; before--) {
      expected.addFloat(before, true, 0.5f);
      found.addFloat(before, true, 0.5f);
    }
    String error = "";
    try {
      OneByOne.decode(q, qOff, qualifier.length, v, vOff, value.length, expected);
    } catch (CorruptCellException e) {
      error = e.getMessage();
      corrupt++;
    }
    String foundError = "";
    try {
      CompactedCell.decode(q, qOff, qualifier.length, v, vOff, value.length, found);
    } catch (CorruptCellException e) {
      foundError = e.getMessage();
    }
    assertThat(foundError).as(what).isEqualTo(error);
    assertSame(what);
  }

  private void fill(Random random) {
    points.clear();
    int n = random.nextInt(500) == 0 ? 3600 : 1 + random.nextInt(40);
    // Bit n set: type n may occur. Cells of one type may take a way of their own.
    int types = random.nextBoolean() ? 1 << random.nextInt(6) : 1 + random.nextInt(63);
    // None, some or all in milliseconds.
    int millisOf8 = random.nextInt(3) * 4;
    for (int i = 0; i < n; i++) {
      int type = random.nextInt(6);
      while ((types >> type & 1) == 0) {
        type = random.nextInt(6);
      }
      boolean millis = random.nextInt(8) < millisOf8;
      long bits = random.nextBoolean() ? random.nextLong() : BITS[random.nextInt(BITS.length)];
      points.add(
          i * 1000 + (millis ? random.nextInt(1000) : 0),
          millis,
          type >= FIRST_FLOAT,
          WIDTHS[type],
          bits);
    }
  }

  private static byte[] damaged(byte[] qualifier, Random random) {
    byte[] q = qualifier.clone();
    int at = random.nextInt(q.length);
    switch (random.nextInt(5)) {
      case 0:
        q[at] ^= (byte) (1 << random.nextInt(8));
        return q;
      case 1:
        q[at] = (byte) random.nextInt();
        return q;
      case 2:
        // Twice the same instant, or a later one first.
        System.arraycopy(qualifier, 0, q, at & ~1, 2);
        return q;
      case 3:
        return Arrays.copyOf(q, Math.max(1, q.length - 1 - random.nextInt(3)));
      default:
        return q;
    }
  }

  private static byte[] surrounded(byte[] bytes, int off, Random random) {
    byte[] array = new byte[off + bytes.length + (random.nextBoolean() ? 0 : random.nextInt(20))];
    random.nextBytes(array);
    System.arraycopy(bytes, 0, array, off, bytes.length);
    return array;
  }

  private void assertSame(String what) {
    assertThat(found.size()).as(what).isEqualTo(expected.size());
    double[] doubles = found.doubles();
    PointSummary sums = new PointSummary();
    PointSummary oneByOne = new PointSummary();
    sums.addAll(found, 0, found.size());
    for (int i = 0; i < found.size(); i++) {
      assertThat(found.offsetMillis(i)).as(what).isEqualTo(expected.offsetMillis(i));
      assertThat(found.isMillis(i)).as(what).isEqualTo(expected.isMillis(i));
      assertThat(found.flags(i)).as(what).isEqualTo(expected.flags(i));
      assertThat(found.rawBits(i)).as(what).isEqualTo(expected.rawBits(i));
      double value = OneByOne.value(expected, i);
      assertThat(bits(doubles[i])).as(what).isEqualTo(bits(value));
      oneByOne.add(value);
    }
    assertThat(bits(sums.sum())).as(what).isEqualTo(bits(oneByOne.sum()));
    assertThat(bits(sums.min())).as(what).isEqualTo(bits(oneByOne.min()));
    assertThat(bits(sums.max())).as(what).isEqualTo(bits(oneByOne.max()));
    assertThat(sums.count()).as(what).isEqualTo(oneByOne.count());
  }

  private static long bits(double value) {
    return Double.doubleToLongBits(value);
  }

  /** Loads this module's classes once more, and hides a class of Java 9 from them. */
  private static final class Java8Loader extends URLClassLoader {
    private boolean hidden;

    private Java8Loader() {
      super(
          new URL[] {location(CompactedCell.class), location(DecodedCellsTest.class)},
          DecodedCellsTest.class.getClassLoader());
    }

    private static URL location(Class<?> type) {
      return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("java.lang.invoke.VarHandle")) {
        hidden = true;
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("io.tsdbsuite.format.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }
  }
}
