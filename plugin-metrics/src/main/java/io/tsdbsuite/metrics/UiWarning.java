package io.tsdbsuite.metrics;

import net.opentsdb.core.TSDB;
import org.slf4j.Logger;

/** A warning at the start of a TSD whose UI is on. */
public final class UiWarning {
  private static final String KEY = "tsd.core.enable_ui";

  private UiWarning() {}

  /**
   * Logs a warning if the TSD serves its UI, which is OpenTSDB's default: to draw its graphs, the
   * paths of the UI run a command with text of the request.
   */
  public static void log(TSDB tsdb, Logger log) {
    if (isOn(tsdb.getConfig().getString(KEY))) {
      log.warn(
          "{} is not false: whoever reaches this TSD's port can run commands on its machine by /q"
              + " (CVE-2023-25826 and CVE-2023-36812, in OpenTSDB up to 2.4.1). Set {} = false,"
              + " which keeps /api and the plugins: docs/securing-a-tsd.md",
          KEY,
          KEY);
    }
  }

  /**
   * Whether the TSD reads the value as on: a TSD compares it with true, and that is its default.
   */
  static boolean isOn(String value) {
    return "true".equals(value);
  }
}
