package io.tsdbsuite.rollup.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the blocks of an HFile by their magic and damages them. */
final class HFileDamage {
  static final String DATA_BLOCK = "DATABLKE";
  static final String LEAF_INDEX = "IDXLEAF2";
  static final String ROOT_INDEX = "IDXROOT2";
  static final String FILE_INFO = "FILEINF2";
  static final String TRAILER = "TRABLK\"$";

  /** From the start of a block to its content. */
  static final int BLOCK_HEADER = 33;

  private static final byte NO_CODEC = 2;
  private static final byte BROTLI = 8;

  private final Path file;
  private final byte[] bytes;

  HFileDamage(Path file) throws IOException {
    this.file = file;
    this.bytes = Files.readAllBytes(file);
  }

  /** Where blocks with a magic begin. */
  List<Integer> blocks(String magic) {
    byte[] wanted = magic.getBytes(StandardCharsets.US_ASCII);
    List<Integer> found = new ArrayList<>();
    for (int at = 0; at + wanted.length <= bytes.length; at++) {
      int same = 0;
      while (same < wanted.length && bytes[at + same] == wanted[same]) {
        same++;
      }
      if (same == wanted.length) {
        found.add(at);
      }
    }
    return found;
  }

  /** Where the block in the middle begins. */
  int middle(String magic) {
    List<Integer> blocks = blocks(magic);
    return blocks.get(blocks.size() / 2);
  }

  /** Makes the trailer name Brotli instead of no codec: field 12 of its message. */
  void brotli() throws IOException {
    int at = bytes.length - 2;
    while (bytes[at] != 12 << 3 || bytes[at + 1] != NO_CODEC) {
      at--;
    }
    bytes[at + 1] = BROTLI;
    Files.write(file, bytes);
  }

  void flip(int offset) throws IOException {
    flip(offset, 0x10);
  }

  void flip(int offset, int bits) throws IOException {
    bytes[offset] ^= (byte) bits;
    Files.write(file, bytes);
  }
}
