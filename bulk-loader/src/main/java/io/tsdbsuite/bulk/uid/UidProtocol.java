package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * OpenTSDB's protocol for new UIDs, for many names at once: take a number, write the reverse
 * mapping, then the forward mapping by compare-and-set. No reader sees a UID without its name.
 * Source: docs/storage.md 4.
 *
 * <p>Unlike a TSD it deletes the reverse mapping when another process wrote the forward mapping
 * first. A process killed between the two mappings leaves a reverse mapping without a forward one,
 * as a TSD does; {@code tsdb uid fsck} reports it, and it is harmless.
 */
final class UidProtocol {
  private final UidTable table;
  private final UidKind kind;
  private final int width;
  private final UidNumbers numbers;

  UidProtocol(UidTable table, UidKind kind, int width, UidNumbers numbers) {
    this.table = table;
    this.kind = kind;
    this.width = width;
    this.numbers = numbers;
  }

  /**
   * Outcome of an assignment.
   *
   * @param raced names to which another process assigned a UID meanwhile
   * @param exhausted names for which no number is left
   * @param taken names whose every number belonged to another name already
   */
  record Outcome(List<NewName> raced, List<NewName> exhausted, List<NewName> taken) {}

  /**
   * Assigns UIDs.
   *
   * @param names distinct, without a UID when they were last looked up
   * @param assigned gets each name that got a UID here, and the UID
   */
  Outcome assign(List<NewName> names, BiConsumer<NewName, byte[]> assigned) {
    List<NewName> exhausted = new ArrayList<>();
    List<NewName> open = names;
    List<NewName> raced = new ArrayList<>();
    for (int attempt = 0; attempt < numbers.attempts() && !open.isEmpty(); attempt++) {
      long[] ids = numbers.take(open.size());
      exhausted.addAll(open.subList(ids.length, open.size()));
      Attempt once = new Attempt(open.subList(0, ids.length), ids);
      open = once.run(assigned);
      raced.addAll(once.raced);
    }
    return new Outcome(raced, exhausted, open);
  }

  /** One attempt for a batch of names. */
  private final class Attempt {
    final List<NewName> again = new ArrayList<>();
    final List<NewName> raced = new ArrayList<>();
    List<NewName> names;
    List<byte[]> uids = new ArrayList<>();

    Attempt(List<NewName> names, long[] ids) {
      this.names = names;
      Arrays.stream(ids).forEach(id -> uids.add(Uids.bytes(id, width)));
    }

    /** Returns the names to retry. */
    List<NewName> run(BiConsumer<NewName, byte[]> assigned) {
      if (!names.isEmpty()) {
        reverse();
        forward(assigned);
      }
      return again;
    }

    private void reverse() {
      boolean[] made = table.createReverse(kind, uids, bytes(names));
      List<byte[]> refused = where(made, false, uids);
      if (refused.isEmpty()) {
        return;
      }
      // Also true if this process wrote it and the answer to the first try was lost.
      List<byte[]> owners = table.names(kind, refused);
      for (int i = 0, asked = 0; i < made.length; i++) {
        if (!made[i]) {
          made[i] = Arrays.equals(owners.get(asked++), names.get(i).bytes());
        }
      }
      again.addAll(where(made, false, names));
      names = where(made, true, names);
      uids = where(made, true, uids);
    }

    private void forward(BiConsumer<NewName, byte[]> assigned) {
      boolean[] made = table.createForward(kind, bytes(names), uids);
      for (int i = 0; i < made.length; i++) {
        if (made[i]) {
          assigned.accept(names.get(i), uids.get(i));
        }
      }
      List<NewName> lost = where(made, false, names);
      if (lost.isEmpty()) {
        return;
      }
      List<byte[]> ours = where(made, false, uids);
      List<byte[]> theirs = table.uids(kind, bytes(lost));
      List<byte[]> unusedUids = new ArrayList<>();
      List<byte[]> unusedNames = new ArrayList<>();
      for (int i = 0; i < lost.size(); i++) {
        if (Arrays.equals(theirs.get(i), ours.get(i))) {
          assigned.accept(lost.get(i), ours.get(i));
          continue;
        }
        (theirs.get(i) == null ? again : raced).add(lost.get(i));
        unusedUids.add(ours.get(i));
        unusedNames.add(lost.get(i).bytes());
      }
      table.removeReverse(kind, unusedUids, unusedNames);
    }
  }

  private static List<byte[]> bytes(List<NewName> names) {
    return names.stream().map(NewName::bytes).toList();
  }

  private static <T> List<T> where(boolean[] made, boolean wanted, List<T> all) {
    List<T> some = new ArrayList<>();
    for (int i = 0; i < made.length; i++) {
      if (made[i] == wanted) {
        some.add(all.get(i));
      }
    }
    return some;
  }
}
