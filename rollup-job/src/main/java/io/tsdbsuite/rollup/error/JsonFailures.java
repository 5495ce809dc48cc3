package io.tsdbsuite.rollup.error;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import java.util.regex.Pattern;

/** Describes errors of invalid JSON. */
public final class JsonFailures {
  /**
   * Matches the location in Jackson's messages, which quotes the beginning of the text, including
   * line breaks.
   */
  private static final Pattern PLACE =
      Pattern.compile("\\[Source: .*?; line: (\\d+), column: (\\d+)\\]", Pattern.DOTALL);

  private static final Pattern SPACE = Pattern.compile("\\s+");

  private JsonFailures() {}

  /** Returns one line with the error and its line and column, both from 1. */
  public static String describe(JacksonException failure) {
    String what =
        PLACE.matcher(failure.getOriginalMessage()).replaceAll("line $1, column $2").strip();
    JsonLocation at = failure.getLocation();
    return SPACE.matcher(what).replaceAll(" ")
        + (at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr());
  }
}
