package io.tsdbsuite.synthetic;

/** Eight random bits for each point of a series, from one number for eight points. */
final class Octets {
  private final long seed;
  private long point;
  private long rest;

  Octets(long seed, long first) {
    this.seed = seed;
    point = first;
    rest = Mix.of(seed, first >> 3) >>> ((first & 7) << 3);
  }

  /** The bits of the next point; those above the eighth are not of it. */
  int next() {
    int octet = (int) rest;
    point++;
    rest = (point & 7) == 0 ? Mix.of(seed, point >> 3) : rest >>> 8;
    return octet;
  }
}
