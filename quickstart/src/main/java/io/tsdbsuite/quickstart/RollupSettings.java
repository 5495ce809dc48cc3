package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.rollup.RollupConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file rollup_config.json of the TSD. */
final class RollupSettings {
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

  Path file() {
    return file;
  }

  RollupConfig config() throws IOException {
    return RollupConfig.load(file.toString());
  }
}
