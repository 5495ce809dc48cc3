package io.tsdbsuite.testkit;

import java.util.List;

/**
 * The result of a program that has exited.
 *
 * @param exitCode its exit code
 * @param output standard output and standard error
 */
public record ToolRun(int exitCode, String output) {
  /**
   * Lines of the output.
   *
   * @param part text that they contain
   * @return the lines, in order
   */
  public List<String> lines(String part) {
    return output.lines().filter(line -> line.contains(part)).toList();
  }
}
