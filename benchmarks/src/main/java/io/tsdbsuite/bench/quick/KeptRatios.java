package io.tsdbsuite.bench.quick;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ratios of an earlier run, with the machine that they were measured on.
 *
 * @param facts command, date, machine, JDK, load
 * @param ratios by their names in {@link QuickRatio}
 */
record KeptRatios(Map<String, String> facts, Map<String, Double> ratios) {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /**
   * Reads the file.
   *
   * @return no ratios when there is no file
   * @throws IOException when it is not such a file
   */
  static KeptRatios read(Path file) throws IOException {
    return Files.exists(file)
        ? MAPPER.readValue(file.toFile(), KeptRatios.class)
        : new KeptRatios(Map.of(), Map.of());
  }

  /** The ratio of the earlier run; null if it did not measure this one. */
  @Nullable Double of(QuickRatio ratio) {
    return ratios.get(ratio.name());
  }

  /** Writes the file: these ratios, and those of {@code before} that this run did not measure. */
  void write(Path file, KeptRatios before) throws IOException {
    Map<String, Double> all = new LinkedHashMap<>();
    for (QuickRatio ratio : QuickRatio.values()) {
      Double value = ratios.getOrDefault(ratio.name(), before.ratios.get(ratio.name()));
      if (value != null) {
        all.put(ratio.name(), value);
      }
    }
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, MAPPER.writeValueAsString(new KeptRatios(facts, all)) + "\n");
  }
}
