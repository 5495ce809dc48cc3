package io.tsdbsuite.contract;

/** The seed of all generated tests: fixed, or given with {@code -Dcontract.seed=N}. */
final class Seed {
  static final long VALUE = Long.getLong("contract.seed", 20261121L);

  private Seed() {}

  /** What a failing assertion says first. */
  static String describe(int number) {
    return "-Dcontract.seed=" + VALUE + ", number " + number + ": ";
  }
}
