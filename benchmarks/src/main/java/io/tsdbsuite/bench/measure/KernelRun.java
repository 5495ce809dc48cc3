package io.tsdbsuite.bench.measure;

import java.util.HashMap;
import java.util.Map;

/**
 * Results of a kernel.
 *
 * @param process the JVM that it ran in
 * @param values its figures by name
 */
public record KernelRun(Child process, Map<String, Double> values) {
  private static final String MARK = "FOUND ";

  /** The output line of a figure. */
  public static String line(String name, double value) {
    return MARK + name + " " + value;
  }

  /** Parses the figures from the output of the process. */
  public static KernelRun parse(Child process) {
    Map<String, Double> values = new HashMap<>();
    process
        .output()
        .lines()
        .filter(line -> line.startsWith(MARK))
        .forEach(
            line -> {
              int blank = line.lastIndexOf(' ');
              values.put(
                  line.substring(MARK.length(), blank),
                  Double.parseDouble(line.substring(blank + 1)));
            });
    return new KernelRun(process, Map.copyOf(values));
  }

  /** A figure by its name. */
  public double get(String name) {
    Double value = values.get(name);
    if (value == null) {
      throw new IllegalStateException(name + " must be found, found:\n" + process.output());
    }
    return value;
  }
}
