package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Where the numbers of new UIDs of one kind come from. */
interface UidNumbers {
  /** Numbers for new UIDs; fewer than asked when there are no more. */
  long[] take(int howMany);

  /** How often a name may begin again, its number being taken, the first time included. */
  int attempts();

  /** The next ones of the counter in the table, which is moved once for all of them. */
  static UidNumbers counted(UidTable table, UidKind kind, int width) {
    long highest = Uids.highest(width);
    return new UidNumbers() {
      @Override
      public long[] take(int howMany) {
        // Asked first, so that a counter that is at its end is not moved on for ever.
        long left = highest - table.counter(kind);
        int wanted = (int) Math.max(0, Math.min(howMany, left));
        if (wanted == 0) {
          return new long[0];
        }
        long last = table.increment(kind, wanted);
        long first = last - wanted + 1;
        int fit = (int) Math.max(0, Math.min(wanted, highest - first + 1));
        long[] numbers = new long[fit];
        Arrays.setAll(numbers, i -> first + i);
        return numbers;
      }

      @Override
      public int attempts() {
        return 3;
      }
    };
  }

  /** Random ones, 1 instead of 0, of up to 7 bytes; the counter is left alone. */
  static UidNumbers random(RandomGenerator random, int width) {
    long mask = Uids.highest(width);
    return new UidNumbers() {
      @Override
      public long[] take(int howMany) {
        long[] numbers = new long[howMany];
        Arrays.setAll(numbers, i -> Math.max(1, random.nextLong() & mask));
        return numbers;
      }

      @Override
      public int attempts() {
        return 10;
      }
    };
  }
}
