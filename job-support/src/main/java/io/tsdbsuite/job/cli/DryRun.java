package io.tsdbsuite.job.cli;

import io.tsdbsuite.job.report.TextTable;
import java.util.Locale;

/**
 * What {@code --dry-run} prints, in one form for all programs: a line for each thing that a run
 * would do, and the last line says that nothing was written.
 */
public final class DryRun {
  /** The option of every command that writes or takes long. */
  public static final String OPTION = "--dry-run";

  private final TextTable table = new TextTable();

  /**
   * Adds a line.
   *
   * @param name what it is about, at most 18 characters
   */
  public DryRun line(String name, String value) {
    table.text(name, value);
    return this;
  }

  /** Adds a line with a number. */
  public DryRun line(String name, long value, String unit) {
    return line(name, String.format(Locale.ROOT, "%,d %s", value, unit));
  }

  /**
   * All lines and the last one.
   *
   * @param nothing what a run would have done and this one has not, for example "nothing was
   *     written"
   */
  public String end(String nothing) {
    return line("dry run", nothing).table.toString();
  }
}
