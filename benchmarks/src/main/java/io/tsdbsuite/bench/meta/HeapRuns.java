package io.tsdbsuite.bench.meta;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Runs each {@link HeapCase} in a separate JVM. */
final class HeapRuns {
  /** JVM flags that affect the figures. */
  static final String FLAGS = "-Xmx3g -XX:+UseSerialGC";

  private HeapRuns() {}

  /** Measures a cache with the series of a shape. */
  static HeapUse use(WayKind way, Shape shape) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(FLAGS.split(" ", -1)));
    command.addAll(List.of("-XX:-UsePerfData", "-cp", System.getProperty("java.class.path")));
    command.addAll(
        List.of(
            HeapCase.class.getName(),
            way.name(),
            Integer.toString(shape.series()),
            Integer.toString(shape.metrics())));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    int code = process.waitFor();
    if (code != 0) {
      throw new IllegalStateException(
          "heap of " + way + " with " + shape + " must end with 0, found " + code);
    }
    String[] numbers = output.split(" ", -1);
    HeapUse use = new HeapUse(Double.parseDouble(numbers[0]), Double.parseDouble(numbers[1]));
    System.out.printf(
        Locale.ROOT,
        "%-9s %,9d series of %,d metrics: %.1f bytes per series%s%n",
        way,
        shape.series(),
        shape.metrics(),
        use.measured(),
        use.estimated() < 0
            ? ""
            : String.format(Locale.ROOT, ", by its own estimate %.1f", use.estimated()));
    return use;
  }
}
