package io.tsdbsuite.job.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The options {@code --kafka-config} and {@code --kafka-property}. */
public final class KafkaProperties {
  private KafkaProperties() {}

  /**
   * Reads the settings of Kafka's clients.
   *
   * @param file the properties file of {@code --kafka-config}; null without
   * @param single the values of {@code --kafka-property}, which override those of the file
   * @param problems receives why the file cannot be read
   * @return the settings, which may be changed
   */
  public static Map<String, String> read(
      @Nullable Path file, Map<String, String> single, Problems problems) {
    Map<String, String> settings = new LinkedHashMap<>();
    if (file != null) {
      Properties properties = new Properties();
      try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
        properties.load(reader);
      } catch (IOException | IllegalArgumentException e) {
        problems.unreadable("--kafka-config", file, e);
      }
      properties
          .stringPropertyNames()
          .forEach(key -> settings.put(key, properties.getProperty(key)));
    }
    settings.putAll(single);
    return settings;
  }
}
