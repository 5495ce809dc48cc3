package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.ShippedJar;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class ShippedJarIT {
  private static final int JAVA_8 = 52;

  @Test
  @EnabledIfSystemProperty(named = ShippedJar.WITH_BILL, matches = "true")
  void whatIsInsideIsListedAndItsLicencesAreThere() throws IOException {
    assertThat(ShippedJar.problems("ingest.jar", "kafka-ingest")).isEmpty();
    Path classPath = Path.of(System.getProperty("msk.jar")).resolveSibling("classpath.txt");
    assertThat(
            ShippedJar.problems("msk.jar", "kafka-ingest-msk", Files.readString(classPath).strip()))
        .isEmpty();
  }

  /** A TSD may run on Java 8, and has other versions of the same libraries. */
  @Test
  void theClassesForMskAreForJava8AndOfNoLibraryOfATsd() throws IOException {
    try (JarFile jar = new JarFile(Path.of(System.getProperty("msk.jar")).toFile())) {
      for (JarEntry entry : jar.stream().filter(e -> e.getName().endsWith(".class")).toList()) {
        byte[] header = jar.getInputStream(entry).readNBytes(8);
        assertThat(ByteBuffer.wrap(header).getShort(6))
            .as(entry.getName())
            .isBetween((short) 45, (short) JAVA_8);
        assertThat(entry.getName())
            .matches("(software/amazon|io/tsdbsuite/ingest/msk/shaded|org/reactivestreams)/.*");
      }
    }
  }
}
