package io.tsdbsuite.bench.quick;

import io.tsdbsuite.bench.measure.PairedRuns;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.uid.UidDictionary;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Names of UIDs: the suite's dictionary, and a map of strings as in a TSD's cache of names. */
final class UidKernel {
  /** Few, which fit into the processor's cache: with more, the ratio varies twofold. */
  private static final int NAMES = 30_000;

  private static final int WIDTH = 3;
  private static final int LOOKUPS = 1 << 19;

  private UidKernel() {}

  /** Takes no arguments. */
  public static void main(String[] args) throws Exception {
    Map<String, String> map = new ConcurrentHashMap<>();
    UidDictionary.Builder builder = new UidDictionary.Builder(WIDTH, WIDTH, WIDTH);
    byte[] uid = new byte[WIDTH];
    for (int i = 1; i <= NAMES; i++) {
      Uids.write(i, uid, 0, WIDTH);
      String name = "web" + i + ".example.com";
      byte[] text = name.getBytes(StandardCharsets.ISO_8859_1);
      builder.add(UidKind.TAGV, uid, 0, WIDTH, text, 0, text.length);
      map.put(new String(uid, StandardCharsets.ISO_8859_1), name);
    }
    UidDictionary dictionary = builder.build();
    int[] order = new Random(1).ints(LOOKUPS, 1, NAMES + 1).toArray();
    ByteSlice found = new ByteSlice();
    PairedRuns.ofThread().print(() -> first(map, order), () -> suite(dictionary, order, found));
    System.exit(0);
  }

  private static double first(Map<String, String> names, int[] order) {
    byte[] uid = new byte[WIDTH];
    double sum = 0;
    for (int number : order) {
      Uids.write(number, uid, 0, WIDTH);
      String name = Objects.requireNonNull(names.get(new String(uid, StandardCharsets.ISO_8859_1)));
      sum += name.length() + name.charAt(3);
    }
    return sum;
  }

  private static double suite(UidDictionary names, int[] order, ByteSlice name) {
    double sum = 0;
    for (int number : order) {
      if (!names.lookup(UidKind.TAGV, number, name)) {
        throw new IllegalStateException("UID " + number + " must have a name");
      }
      sum += name.length + name.array[name.offset + 3];
    }
    return sum;
  }
}
