package io.tsdbsuite.bench.loadtest;

/**
 * Samples of one TSD, by turns with its work for each point off and on.
 *
 * @param off the reference
 * @param on as many samples
 */
record Pair(Rounds off, Rounds on) {
  /** Without samples. */
  static Pair of(Setup setup) {
    return new Pair(new Rounds(setup), new Rounds(setup));
  }

  Setup setup() {
    return on.setup();
  }
}
