package io.tsdbsuite.bulk.spill;

/** A block that was read; reused for the next one. */
final class Block {
  /** Its bytes, not packed. */
  final Bytes bytes = new Bytes(1 << 10);

  /** Where the next block begins in the file. */
  long next;
}
