package io.tsdbsuite.query;

import io.tsdbsuite.format.rollup.RollupConfig;

/** Parses a rollup_config.json with the key {@code packed}, which needs a system property. */
public final class PackedConfig {
  private static final String KEY = "tsdbsuite.packed";

  private PackedConfig() {}

  /** Parses JSON. */
  public static RollupConfig parse(String json) {
    takeKey();
    try {
      return RollupConfig.parse(json);
    } finally {
      refuseKey();
    }
  }

  /** Takes the key from now on. */
  public static void takeKey() {
    System.setProperty(KEY, "true");
  }

  /** Refuses the key from now on. */
  public static void refuseKey() {
    System.clearProperty(KEY);
  }
}
