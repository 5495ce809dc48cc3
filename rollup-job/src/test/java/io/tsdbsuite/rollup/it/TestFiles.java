package io.tsdbsuite.rollup.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Files that the tests make and look at. */
final class TestFiles {
  static final String ROLLUP_CONFIG =
      "{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},\"intervals\":["
          + "{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb-preagg\",\"interval\":\"1s\","
          + "\"rowSpan\":\"1h\",\"defaultInterval\":true},"
          + "{\"table\":\"tsdb-rollup-1m\",\"preAggregationTable\":\"tsdb-rollup-agg-1m\","
          + "\"interval\":\"1m\",\"rowSpan\":\"1d\"},"
          + "{\"table\":\"tsdb-rollup-10m\",\"preAggregationTable\":\"tsdb-rollup-agg-10m\","
          + "\"interval\":\"10m\",\"rowSpan\":\"1d\"},"
          + "{\"table\":\"tsdb-rollup-1h\",\"preAggregationTable\":\"tsdb-rollup-agg-1h\","
          + "\"interval\":\"1h\",\"rowSpan\":\"1d\"},"
          + "{\"table\":\"tsdb-rollup-1d\",\"preAggregationTable\":\"tsdb-rollup-agg-1d\","
          + "\"interval\":\"1d\",\"rowSpan\":\"1y\"}]}";

  private TestFiles() {}

  /** A new directory below target/. */
  static Path directory(String name) {
    try {
      Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
      return Files.createTempDirectory(parent, name + "-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path rollupConfig(Path directory) {
    return rollupConfig(directory, "tsdb");
  }

  /** With tables of its own. */
  static Path rollupConfig(Path directory, String tables) {
    try {
      return Files.writeString(
          directory.resolve("rollup_config.json"),
          ROLLUP_CONFIG.replace("\"tsdb", "\"" + tables),
          StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies a directory with all that is in it. */
  static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes a directory with all that is in it. */
  static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every file below a directory with its size and time of change. */
  static Map<String, String> tree(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      Map<String, String> tree = new TreeMap<>();
      for (Path file : files.toList()) {
        String state =
            Files.isDirectory(file)
                ? "directory"
                : Files.size(file) + " bytes, " + Files.getLastModifiedTime(file);
        tree.put(root.relativize(file).toString(), state);
      }
      return tree;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
