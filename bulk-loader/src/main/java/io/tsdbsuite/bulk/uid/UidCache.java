package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.format.uid.UidName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names of one kind and their UIDs. Entries are never evicted. A name of 20 bytes takes 33 to 39
 * bytes, 10 million of them 350 MB: an entry in a block, and a reference to it in a table between
 * 3/8 and 3/4 full. Blocks take 8 GiB at most. Not thread-safe.
 *
 * <pre>
 *   entry       | length (2) | name | UID | 0 to 3 bytes so that the next one begins at 4n |
 *   reference   block * BLOCK / 4 + offset in the block / 4 + 1; 0 for a free slot
 * </pre>
 */
final class UidCache {
  private static final int BLOCK = 1 << 18;
  private static final int REFS_PER_BLOCK = BLOCK / 4;
  private static final int FIRST_SLOTS = 1 << 10;

  private final int uidWidth;
  private final List<byte[]> blocks = new ArrayList<>();
  private int[] slots = new int[FIRST_SLOTS];
  private int used = BLOCK;
  private int size;

  UidCache(int uidWidth) {
    this.uidWidth = uidWidth;
  }

  /** The UID in a new array, null if the name is not here. */
  byte @Nullable [] get(byte[] name) {
    int ref = slots[slot(slots, name, 0, name.length)];
    if (ref == 0) {
      return null;
    }
    int at = offset(ref) + 2 + name.length;
    return Arrays.copyOfRange(block(ref), at, at + uidWidth);
  }

  /** Adds a name that is not here, of {@link UidName#MAX_BYTES} at most. */
  void put(byte[] name, byte[] uid) {
    if (4L * (size + 1) > 3L * slots.length) {
      grow();
    }
    int slot = slot(slots, name, 0, name.length);
    int length = (2 + name.length + uidWidth + 3) & -4;
    if (used + length > BLOCK) {
      blocks.add(new byte[BLOCK]);
      used = 0;
    }
    byte[] block = blocks.get(blocks.size() - 1);
    block[used] = (byte) (name.length >>> 8);
    block[used + 1] = (byte) name.length;
    System.arraycopy(name, 0, block, used + 2, name.length);
    System.arraycopy(uid, 0, block, used + 2 + name.length, uidWidth);
    slots[slot] = Math.multiplyExact(blocks.size() - 1, REFS_PER_BLOCK) + used / 4 + 1;
    used += length;
    size++;
  }

  /** Number of names. */
  int size() {
    return size;
  }

  /** Memory in use, bytes. */
  long bytes() {
    return 4L * slots.length + (long) blocks.size() * BLOCK;
  }

  private void grow() {
    int[] wider = new int[slots.length * 2];
    for (int ref : slots) {
      if (ref != 0) {
        byte[] block = block(ref);
        int at = offset(ref);
        wider[slot(wider, block, at + 2, nameLength(block, at))] = ref;
      }
    }
    slots = wider;
  }

  /** The index of the slot of a name; of the free slot for it if the name is absent. */
  private int slot(int[] table, byte[] name, int off, int len) {
    int mask = table.length - 1;
    int slot = hash(name, off, len) & mask;
    while (table[slot] != 0 && !isName(table[slot], name, off, len)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean isName(int ref, byte[] name, int off, int len) {
    byte[] block = block(ref);
    int at = offset(ref);
    return nameLength(block, at) == len
        && Arrays.equals(block, at + 2, at + 2 + len, name, off, off + len);
  }

  private byte[] block(int ref) {
    return blocks.get((ref - 1) / REFS_PER_BLOCK);
  }

  private static int offset(int ref) {
    return (ref - 1) % REFS_PER_BLOCK * 4;
  }

  private static int nameLength(byte[] block, int at) {
    return (block[at] & 0xff) << 8 | (block[at + 1] & 0xff);
  }

  /** Names differ in their last digits: the product is mixed into the low bits, which count. */
  private static int hash(byte[] name, int off, int len) {
    int hash = len;
    for (int i = off; i < off + len; i++) {
      hash = 31 * hash + name[i];
    }
    hash *= 0x9e3779b9;
    return hash ^ hash >>> 15;
  }
}
