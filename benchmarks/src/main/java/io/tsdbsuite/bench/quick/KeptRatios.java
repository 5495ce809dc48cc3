package io.tsdbsuite.bench.quick;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The ratios of an earlier run, with the machine that they were measured on. Each kind of processor
 * has a file, since a bare loop has another share of the time on each.
 *
 * @param facts command, date, machine, JDK, load
 * @param ratios by their names in {@link QuickRatio}
 */
record KeptRatios(Map<String, String> facts, Map<String, Double> ratios) {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /**
   * Reads the file of a processor.
   *
   * @return those of the first other processor by name when it has no file, none when none has one
   * @throws IOException when it is not such a file
   */
  static KeptRatios read(Path folder, String processor) throws IOException {
    Path file = file(folder, processor);
    if (!Files.exists(file)) {
      try (DirectoryStream<Path> others = Files.newDirectoryStream(folder, "quick-*.json")) {
        Optional<Path> first =
            StreamSupport.stream(others.spliterator(), false).sorted().findFirst();
        if (first.isEmpty()) {
          return new KeptRatios(Map.of(), Map.of());
        }
        file = first.get();
      }
    }
    return MAPPER.readValue(file.toFile(), KeptRatios.class);
  }

  /** The file of a processor. */
  static Path file(Path folder, String processor) {
    return folder.resolve("quick-" + processor.replaceAll("\\W+", "-") + ".json");
  }

  /** Whether they are of a processor of this kind. */
  boolean isOf(String processor) {
    return processor.equals(facts.get("processor"));
  }

  /** The ratio of the earlier run; null if it did not measure this one. */
  @Nullable Double of(QuickRatio ratio) {
    return ratios.get(ratio.name());
  }

  /**
   * Writes the file of a processor: these ratios, and those of the file that this run did not
   * measure.
   */
  void write(Path folder, String processor) throws IOException {
    Path file = file(folder, processor);
    KeptRatios before = Files.exists(file) ? read(folder, processor) : this;
    Map<String, Double> all = new LinkedHashMap<>();
    for (QuickRatio ratio : QuickRatio.values()) {
      Double value = ratios.getOrDefault(ratio.name(), before.ratios.get(ratio.name()));
      if (value != null) {
        all.put(ratio.name(), value);
      }
    }
    Files.writeString(file, MAPPER.writeValueAsString(new KeptRatios(facts, all)) + "\n");
  }
}
