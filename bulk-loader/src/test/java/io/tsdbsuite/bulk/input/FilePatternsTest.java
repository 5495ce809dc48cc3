package io.tsdbsuite.bulk.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilePatternsTest {
  @ParameterizedTest
  @CsvSource({
    "*.gz, , /data/a.gz, true",
    "*.gz, , /data/a.txt, false",
    "*.gz, , s3a://bucket/my data/a%20b.gz, true",
    ", *.md, data/README.md, false",
    ", *.md, data/a.gz, true",
    "*.gz, b*, data/b.gz, false",
    "'{a,b}.*', , a.txt, true",
    "**/2024/*, , s3a://bucket/x/2024/a.gz, true",
    "**/2024/*, , s3a://bucket/x/2025/a.gz, false",
    ", **/wal/**, /x/wal/y/z, false",
  })
  void accept(String include, String exclude, String name, boolean accepted) {
    FilePatterns patterns = new FilePatterns(list(include), list(exclude));
    assertThat(patterns.accept(name)).isEqualTo(accepted);
  }

  private static List<String> list(String pattern) {
    return pattern == null ? List.of() : List.of(pattern);
  }

  @Test
  void badGlobs() {
    List<String> problems = new ArrayList<>();
    new FilePatterns(List.of("*.gz", "[a"), List.of("{a")).check(problems::add);
    assertThat(problems).hasSize(2);
    assertThat(problems.get(0)).startsWith("--include must be a glob, found: [a");
    assertThat(problems.get(1)).startsWith("--exclude must be a glob, found: {a");
  }
}
