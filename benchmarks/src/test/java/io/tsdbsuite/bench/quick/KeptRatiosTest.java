package io.tsdbsuite.bench.quick;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptRatiosTest {
  @TempDir Path dir;

  @Test
  void withoutAFileNothingIsKept() throws IOException {
    assertThat(KeptRatios.read(dir, "25 17 EPYC").of(QuickRatio.UIDS)).isNull();
  }

  @Test
  void aRunOfSomeRatiosKeepsTheOthersOfItsProcessor() throws IOException {
    write("25 17 EPYC", Map.of("UIDS", 3.5, "TEXT", 6.0));
    write("25 1 EPYC", Map.of("UIDS", 1.0, "OPEN", 2.0));
    write("25 17 EPYC", Map.of("TEXT", 7.0));
    KeptRatios kept = KeptRatios.read(dir, "25 17 EPYC");
    assertThat(kept.isOf("25 17 EPYC")).isTrue();
    assertThat(kept.ratios()).isEqualTo(Map.of("UIDS", 3.5, "TEXT", 7.0));
  }

  @Test
  void aProcessorWithoutAFileHasTheRatiosOfAnother() throws IOException {
    write("25 18 EPYC", Map.of("UIDS", 4.5));
    write("25 17 EPYC", Map.of("UIDS", 3.5));
    write("25 19 EPYC", Map.of("UIDS", 5.5));
    KeptRatios kept = KeptRatios.read(dir, "6 85 Xeon");
    assertThat(kept.isOf("6 85 Xeon")).isFalse();
    assertThat(kept.of(QuickRatio.UIDS)).isEqualTo(3.5);
  }

  private void write(String processor, Map<String, Double> ratios) throws IOException {
    new KeptRatios(Map.of("processor", processor), ratios).write(dir, processor);
  }

  @Test
  void anotherFileIsAnError() throws IOException {
    Files.writeString(dir.resolve("quick-25-17-EPYC.json"), "{\"ratio\": 1}");
    assertThatThrownBy(() -> KeptRatios.read(dir, "25 17 EPYC")).isInstanceOf(IOException.class);
  }

  /** A check of a ratio without a kept one would check nothing. */
  @Test
  void theDocumentsKeepWhatIsGuarded() throws IOException {
    Path folder = Path.of("..", "docs", "benchmarks");
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> kept = Files.newDirectoryStream(folder, "quick-*.json")) {
      kept.forEach(files::add);
    }
    assertThat(files)
        .isNotEmpty()
        .allSatisfy(
            file -> {
              String processor = processor(file);
              KeptRatios kept = KeptRatios.read(folder, processor);
              assertThat(KeptRatios.file(folder, processor)).isEqualTo(file);
              assertThat(QuickRatio.values())
                  .filteredOn(QuickRatio::isGuarded)
                  .hasSizeGreaterThan(4)
                  .allMatch(ratio -> kept.of(ratio) != null);
            });
  }

  private static String processor(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile()).at("/facts/processor").asText();
  }
}
