package io.tsdbsuite.meta.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * docs/tsuid-ratelimiter.md has every key that the plugin reads, with its default, and no other.
 */
class DocumentedKeysTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "tsuid-ratelimiter.md");
  private static final String TABLE_HEAD = "| Key, after `tsd.meta.cache.` | Default | Meaning |";
  private static final Pattern ROW = Pattern.compile("\\| `([a-z_]+)` \\| `?([^`|]+?)`? \\|.*");
  private static final Pattern KEY =
      Pattern.compile("tsd\\.meta\\.cache\\.([a-z_]+_[a-z_]+|mode)\\b");

  @Test
  void theTableOfKeysIsComplete() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    boolean inTable = false;
    for (String line : Files.readAllLines(DOCUMENT)) {
      inTable = line.equals(TABLE_HEAD) || (inTable && line.startsWith("|"));
      Matcher row = ROW.matcher(line);
      if (inTable && row.matches()) {
        documented.put(row.group(1), row.group(2));
      }
    }
    assertThat(documented).isEqualTo(MetaCacheConfig.keys());
  }

  @Test
  void keysInTheTextAreKeysOfThePlugin() throws IOException {
    Matcher key = KEY.matcher(Files.readString(DOCUMENT));
    int found = 0;
    while (key.find()) {
      assertThat(MetaCacheConfig.keys()).containsKey(key.group(1));
      found++;
    }
    assertThat(found).isPositive();
  }
}
