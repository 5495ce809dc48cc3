package org.apache.spark.launcher;

import java.util.List;

/** Makes Spark's parser of option strings, which only its package sees, callable. */
public final class OptionParser {
  private OptionParser() {}

  /** The words of a line. */
  public static List<String> words(String line) {
    return CommandBuilderUtils.parseOptionString(line);
  }
}
