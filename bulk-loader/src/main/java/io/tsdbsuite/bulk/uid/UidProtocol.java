package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * OpenTSDB's way to a new UID, for many names at once: a number, the reverse mapping, then the
 * forward mapping, which the first of several processes makes. Nobody can find a UID that has no
 * name yet. Source: docs/storage.md 4.
 *
 * <p>Unlike a TSD it takes the reverse mapping back when another process made the forward mapping:
 * the number was ours alone and is nobody's UID. A process that is killed between the two mappings
 * leaves the reverse one, as a TSD does; {@code tsdb uid fsck} reports it, and it harms nobody.
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
   * What became of names.
   *
   * @param raced how many of them another process gave their UID meanwhile
   * @param exhausted names for which no number was left
   * @param taken names whose every number belonged to another name already
   */
  record Outcome(int raced, List<NewName> exhausted, List<NewName> taken) {}

  /**
   * Assigns UIDs.
   *
   * @param names distinct, without a UID when they were last looked up
   * @param assigned gets each name's UID, whoever has assigned it
   */
  Outcome assign(List<NewName> names, BiConsumer<NewName, byte[]> assigned) {
    List<NewName> exhausted = new ArrayList<>();
    List<NewName> open = names;
    int raced = 0;
    for (int attempt = 0; attempt < numbers.attempts() && !open.isEmpty(); attempt++) {
      long[] ids = numbers.take(open.size());
      exhausted.addAll(open.subList(ids.length, open.size()));
      Attempt once = new Attempt(open.subList(0, ids.length), ids);
      open = once.run(assigned);
      raced += once.raced;
    }
    return new Outcome(raced, exhausted, open);
  }

  /** One try of some names. */
  private final class Attempt {
    final List<NewName> again = new ArrayList<>();
    List<NewName> names;
    List<byte[]> uids = new ArrayList<>();
    int raced;

    Attempt(List<NewName> names, long[] ids) {
      this.names = names;
      Arrays.stream(ids).forEach(id -> uids.add(Uids.bytes(id, width)));
    }

    /** Gives the names that have to begin again. */
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
      // Ours all the same, if the answer to the first try was lost on its way.
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
        if (theirs.get(i) == null) {
          again.add(lost.get(i));
        } else {
          assigned.accept(lost.get(i), theirs.get(i));
        }
        if (!Arrays.equals(theirs.get(i), ours.get(i))) {
          unusedUids.add(ours.get(i));
          unusedNames.add(lost.get(i).bytes());
        }
      }
      raced = unusedUids.size();
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
