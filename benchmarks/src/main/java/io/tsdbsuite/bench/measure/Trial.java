package io.tsdbsuite.bench.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a command line selects of a benchmark.
 *
 * @param whole whether all is measured in full size, which the documents keep
 * @param numbers the numbers of {@link Suite#numbers()}; none without them
 * @param parts to be measured, in their order
 */
public record Trial(boolean whole, List<Double> numbers, List<String> parts) {
  /**
   * Reads the arguments after the name of the benchmark.
   *
   * @throws IllegalArgumentException when a number or a part is wrong
   */
  public static Trial of(Suite suite, List<String> args) {
    if (args.isEmpty()) {
      return new Trial(true, List.of(), suite.parts());
    }
    int count = suite.numbers().size();
    if (args.size() < count) {
      throw new IllegalArgumentException("arguments are " + usage(suite) + ", found " + args);
    }
    List<Double> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(number(suite.numbers().get(i), args.get(i)));
    }
    List<String> parts = args.subList(count, args.size());
    for (String part : parts) {
      if (!suite.isPart(part)) {
        throw new IllegalArgumentException(
            "parts are " + String.join(", ", suite.parts()) + ", found " + part);
      }
    }
    return new Trial(false, numbers, parts.isEmpty() ? suite.parts() : List.copyOf(parts));
  }

  private static double number(String name, String text) {
    try {
      double number = Double.parseDouble(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw new IllegalArgumentException(name + " must be a number of at least 0, found " + text);
  }

  /** The arguments that a benchmark takes. */
  public static String usage(Suite suite) {
    String numbers = String.join(" ", suite.numbers());
    return numbers.isEmpty() ? "[PART...]" : "[" + numbers + " [PART...]]";
  }

  /** Share of the full sizes. */
  public double scale() {
    return numbers.isEmpty() ? 1 : numbers.get(0);
  }

  /** The second number, or that of the whole run. */
  public double second(double ofWhole) {
    return numbers.size() < 2 ? ofWhole : numbers.get(1);
  }

  /** The scaled share of a full size, in whole units, at least one. */
  public long scaled(long full, long unit) {
    return Math.max(1, Math.round(full * scale() / unit)) * unit;
  }

  /**
   * The jar of a module that the benchmark runs in servers or processes.
   *
   * @param kind the end of its name, for example {@code tsd}
   * @throws IllegalStateException when it was not built
   */
  public static Path jar(String module, String kind) throws IOException {
    Path target = Path.of("..", module, "target");
    if (Files.isDirectory(target)) {
      try (DirectoryStream<Path> jars =
          Files.newDirectoryStream(target, module + "-*-" + kind + ".jar")) {
        for (Path jar : jars) {
          return jar.toAbsolutePath().normalize();
        }
      }
    }
    throw new IllegalStateException(
        "the jar of " + module + " is missing: run the benchmark by `make`, which builds it");
  }
}
