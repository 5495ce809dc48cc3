package io.tsdbsuite.rollup.error;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import java.util.regex.Pattern;

/** Says what is wrong with JSON that cannot be read. */
public final class JsonFailures {
  /**
   * How Jackson writes a place within a message: with the beginning of the text, line breaks too.
   */
  private static final Pattern PLACE =
      Pattern.compile("\\[Source: .*?; line: (\\d+), column: (\\d+)\\]", Pattern.DOTALL);

  private static final Pattern SPACE = Pattern.compile("\\s+");

  private JsonFailures() {}

  /** One line: what is wrong, and in which line and column, both from 1. */
  public static String describe(JacksonException failure) {
    String what =
        PLACE.matcher(failure.getOriginalMessage()).replaceAll("line $1, column $2").strip();
    JsonLocation at = failure.getLocation();
    return SPACE.matcher(what).replaceAll(" ")
        + (at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr());
  }
}
