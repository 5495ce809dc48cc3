package io.tsdbsuite.meta.write;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** A rate-limited log: one line per interval, with the number of suppressed lines. */
final class LimitedLog {
  private static final int INTERVAL_SECONDS = 30;

  private final Logger log;
  private final Clock clock;
  private int next;
  private long skipped;

  LimitedLog(Logger log, Clock clock) {
    this.log = log;
    this.clock = clock;
  }

  void warn(String message) {
    String more = admit();
    if (more != null) {
      log.warn("{}{}", message, more);
    }
  }

  void error(String message) {
    String more = admit();
    if (more != null) {
      log.error("{}{}", message, more);
    }
  }

  void error(String message, Throwable cause) {
    String more = admit();
    if (more != null) {
      log.error("{}{}", message, more, cause);
    }
  }

  /** Suffix of the line; null if the line is suppressed. */
  private synchronized @Nullable String admit() {
    int now = clock.now();
    if (now < next) {
      skipped++;
      return null;
    }
    String more = skipped == 0 ? "" : " (and " + skipped + " more like it before)";
    skipped = 0;
    next = now + INTERVAL_SECONDS;
    return more;
  }
}
