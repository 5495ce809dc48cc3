package io.tsdbsuite.bench.quick;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptRatiosTest {
  @TempDir Path dir;

  @Test
  void withoutAFileNothingIsKept() throws IOException {
    assertThat(KeptRatios.read(dir.resolve("quick.json")).of(QuickRatio.UIDS)).isNull();
  }

  @Test
  void aRunOfSomeRatiosKeepsTheOthers() throws IOException {
    Path file = dir.resolve("new").resolve("quick.json");
    KeptRatios none = new KeptRatios(Map.of(), Map.of());
    new KeptRatios(Map.of("date", "2026-01-01"), Map.of("UIDS", 3.5, "TEXT", 6.0))
        .write(file, none);
    new KeptRatios(Map.of("date", "2026-01-02"), Map.of("TEXT", 7.0))
        .write(file, KeptRatios.read(file));
    KeptRatios kept = KeptRatios.read(file);
    assertThat(kept.facts()).isEqualTo(Map.of("date", "2026-01-02"));
    assertThat(kept.ratios()).isEqualTo(Map.of("UIDS", 3.5, "TEXT", 7.0));
  }

  @Test
  void anotherFileIsAnError() throws IOException {
    Path file = Files.writeString(dir.resolve("quick.json"), "{\"ratio\": 1}");
    assertThatThrownBy(() -> KeptRatios.read(file)).isInstanceOf(IOException.class);
  }

  /** A check of a ratio without a kept one would check nothing. */
  @Test
  void theDocumentsKeepWhatIsGuarded() throws IOException {
    KeptRatios kept = KeptRatios.read(Path.of("..", "docs", "benchmarks", "quick.json"));
    assertThat(QuickRatio.values())
        .filteredOn(QuickRatio::isGuarded)
        .hasSizeGreaterThan(4)
        .allMatch(ratio -> kept.of(ratio) != null);
  }
}
