package io.tsdbsuite.meta.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tsdbsuite.testkit.ShippedJar;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ShippedJarIT {
  /** Where there is a bill of materials: in make test-all, unless Maven is offline. */
  @Test
  void whatIsInsideIsListedAndItsLicencesAreThere() throws IOException {
    assumeThat(Boolean.getBoolean("shipped.sbom")).isTrue();
    Path jar = Path.of(System.getProperty("meta.jar"));
    assertThat(ShippedJar.problems(jar, "tsuid-ratelimiter")).isEmpty();
  }
}
