package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Source of numbers for new UIDs of one kind. */
interface UidNumbers {
  /** Numbers for new UIDs; fewer than asked when there are no more. */
  long[] take(int howMany);

  /** Attempts for a name whose number turns out to be taken, the first included. */
  int attempts();

  /** Numbers from the counter in the table, which is incremented once for all of them. */
  static UidNumbers counted(UidTable table, UidKind kind, int width) {
    long highest = Uids.highest(width);
    return new UidNumbers() {
      @Override
      public long[] take(int howMany) {
        // Read first, so that an exhausted counter is not incremented further.
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

  /** Random numbers of up to 7 bytes, 1 instead of 0; the counter is not used. */
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
