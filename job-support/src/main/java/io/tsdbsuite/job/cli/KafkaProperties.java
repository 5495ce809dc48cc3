package io.tsdbsuite.job.cli;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.secret.SecretException;
import io.tsdbsuite.job.secret.SecretReferences;
import io.tsdbsuite.job.spark.SubmittedFiles;
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
   * Reads the settings of Kafka's clients, with {@link SecretReferences} resolved.
   *
   * @param file the properties file of {@code --kafka-config}; null without
   * @param single the values of {@code --kafka-property}, which override those of the file
   * @param problems receives why the file cannot be read or a reference not resolved
   * @return the settings, which may be changed
   * @throws JobException outside, when the store of a secret does not answer
   */
  public static Map<String, String> read(
      @Nullable Path file, Map<String, String> single, Problems problems) {
    Map<String, String> settings = new LinkedHashMap<>();
    if (file != null) {
      Properties properties = new Properties();
      try (Reader reader =
          Files.newBufferedReader(SubmittedFiles.local(file), StandardCharsets.UTF_8)) {
        properties.load(reader);
      } catch (IOException | IllegalArgumentException e) {
        problems.unreadable("--kafka-config", file, e);
      }
      properties
          .stringPropertyNames()
          .forEach(key -> settings.put(key, properties.getProperty(key)));
    }
    settings.putAll(single);
    try {
      SecretReferences.standard()
          .resolve(settings, problem -> problems.add("--kafka-config: " + problem));
    } catch (SecretException e) {
      throw JobException.outside("--kafka-config: " + e.getMessage());
    }
    return settings;
  }
}
