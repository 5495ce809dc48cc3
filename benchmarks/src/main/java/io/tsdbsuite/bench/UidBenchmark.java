package io.tsdbsuite.bench;

import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.uid.UidDictionary;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Looks up names of UIDs in random order. One operation is one lookup. */
@State(Scope.Thread)
public class UidBenchmark {
  /** Names in the dictionary. */
  static final int NAMES = 1_000_000;

  private static final int WIDTH = 8;
  private static final int LOOKUPS = 1 << 16;

  /** Assignment of UIDs. */
  public enum Uids {
    /** Numbers of a counter, without gaps. */
    DENSE,
    /** At random, as with {@code tsd.core.uid.random_metrics}: mostly holes. */
    SPARSE
  }

  /** Assignment of the dictionary's UIDs. */
  @Param public Uids uids;

  private final long[] lookups = new long[LOOKUPS];
  private final ByteSlice name = new ByteSlice();
  private UidDictionary dictionary;
  private int next;

  /** Fills the dictionary. */
  @Setup
  public void setUp() {
    Random random = new Random(1);
    UidDictionary.Builder builder = new UidDictionary.Builder(WIDTH, WIDTH, WIDTH);
    long[] all = new long[NAMES];
    long uid = 0;
    for (int i = 0; i < NAMES; i++) {
      uid += uids == Uids.DENSE ? 1 : 1 + random.nextInt(1 << 20);
      all[i] = uid;
      byte[] key = ByteBuffer.allocate(WIDTH).putLong(uid).array();
      byte[] text = ("web" + i + ".example.com").getBytes(StandardCharsets.ISO_8859_1);
      builder.add(UidKind.TAGV, key, 0, WIDTH, text, 0, text.length);
    }
    dictionary = builder.build();
    for (int i = 0; i < LOOKUPS; i++) {
      lookups[i] = all[random.nextInt(NAMES)];
    }
  }

  /** Looks one up. */
  @Benchmark
  public boolean lookup() {
    return dictionary.lookup(UidKind.TAGV, lookups[next++ & (LOOKUPS - 1)], name);
  }
}
