package io.tsdbsuite.rollup.spark;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.core.Filter;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.filter.AbstractFilter;
import org.jspecify.annotations.Nullable;

/**
 * Shortens what Spark logs in the driver about a full disk: the same stack trace four times for
 * each attempt, of which the first line says everything.
 */
public final class FullDiskLog extends AbstractFilter {
  private static final Logger LOG = LogManager.getLogger(FullDiskLog.class);
  private static final String SPARK = "org.apache.spark.";

  private FullDiskLog() {
    super(Filter.Result.NEUTRAL, Filter.Result.NEUTRAL);
  }

  /**
   * Shortens the log of this JVM.
   *
   * @throws LinkageError when Spark does not bring Log4j 2
   */
  public static void shorten() {
    if (LogManager.getContext(false) instanceof LoggerContext log) {
      FullDiskLog filter = new FullDiskLog();
      log.getConfiguration().getLoggers().values().forEach(each -> each.addFilter(filter));
    }
  }

  @Override
  public Result filter(LogEvent event) {
    if (!event.getLoggerName().startsWith(SPARK)) {
      return Result.NEUTRAL;
    }
    String message = event.getMessage().getFormattedMessage();
    int end = message.indexOf('\n');
    boolean isLine = end < 0 && event.getThrown() == null;
    if (isLine || !(SparkFailures.isOfFullDisk(message) || isOfFullDisk(event.getThrown()))) {
      return Result.NEUTRAL;
    }
    if (end > 0 && message.startsWith("Lost task")) {
      // Another attempt may succeed, and then nothing else tells of the disk.
      LOG.log(event.getLevel(), message.substring(0, end));
    }
    return Result.DENY;
  }

  private static boolean isOfFullDisk(@Nullable Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (SparkFailures.isOfFullDisk(String.valueOf(t.getMessage()))) {
        return true;
      }
    }
    return false;
  }
}
