package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** The file rollup_config.json of the TSD; a TSD reads it at its start only. */
final class RollupSettings {
  /** delaySla for rollups of a nightly job. */
  static final int NIGHTLY_HOURS = 72;

  /** delaySla for rollups of stream-rollup. */
  static final int STREAM_HOURS = 1;

  private static final String INTERVAL = "1h";
  private static final String NIGHTLY = "\"delaySla\": \"3d\"";
  private static final String STREAM = "\"delaySla\": \"1h\"";

  private final Path file;

  /**
   * @param file is written
   * @throws IOException when it cannot be written
   */
  RollupSettings(Path file) throws IOException {
    this.file = file;
    try (InputStream in = RollupSettings.class.getResourceAsStream("/rollup_config.json")) {
      Files.write(file, in.readAllBytes());
    }
  }

  /** Sets the delaySla of all intervals to {@link #STREAM_HOURS}. */
  void shorten() throws IOException {
    String text = Files.readString(file, StandardCharsets.UTF_8);
    Files.writeString(file, text.replace(NIGHTLY, STREAM), StandardCharsets.UTF_8);
  }

  Path file() {
    return file;
  }

  RollupConfig config() throws IOException {
    return RollupConfig.load(file.toString());
  }

  Duration delaySla() throws IOException {
    RollupInterval interval = Objects.requireNonNull(config().interval(INTERVAL), INTERVAL);
    return Duration.ofSeconds(interval.delaySlaSeconds());
  }
}
