package io.tsdbsuite.histogram.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.ShippedJar;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class ShippedJarIT {
  @Test
  @EnabledIfSystemProperty(named = ShippedJar.WITH_BILL, matches = "true")
  void whatIsInsideIsListedAndItsLicencesAreThere() throws IOException {
    assertThat(ShippedJar.problems("codec.jar", "histogram-codec")).isEmpty();
  }
}
