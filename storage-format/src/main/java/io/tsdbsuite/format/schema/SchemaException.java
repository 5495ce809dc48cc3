package io.tsdbsuite.format.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A configuration that does not describe valid tables of OpenTSDB. It lists all problems; each one
 * names the key, the rule and the value found.
 */
public final class SchemaException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final ArrayList<String> problems;

  /**
   * Joins the problems of one source.
   *
   * @param source name of the configuration, for example {@code opentsdb.conf}
   * @param problems at least one sentence
   */
  public SchemaException(String source, List<String> problems) {
    super(source + ": " + String.join("; ", problems));
    this.problems = new ArrayList<>(problems);
  }

  /** Every problem, one sentence each, in the order of the configuration; unmodifiable. */
  public List<String> problems() {
    return Collections.unmodifiableList(problems);
  }
}
