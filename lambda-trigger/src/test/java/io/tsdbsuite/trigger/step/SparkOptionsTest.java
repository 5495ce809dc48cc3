package io.tsdbsuite.trigger.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SparkOptionsTest {
  /** EMR Serverless gets the class by name. */
  @Test
  void theMainClassIsTheJars() throws IOException {
    assertThat(Files.readString(Path.of("..", "rollup-job", "pom.xml")))
        .contains("<Main-Class>" + SparkOptions.MAIN_CLASS + "</Main-Class>");
  }
}
