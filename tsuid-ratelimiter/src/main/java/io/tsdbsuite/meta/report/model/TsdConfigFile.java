package io.tsdbsuite.meta.report.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * What a report needs of the TSD's opentsdb.conf, with OpenTSDB's own defaults. Read as OpenTSDB's
 * Config does; not with it, since HBase's class path, where snapshots are read, does not have it.
 */
public final class TsdConfigFile {
  private static final int DEFAULT_WIDTH = 3;

  private final Path file;
  private final Properties properties;
  private final TsuidLayout layout;

  private TsdConfigFile(Path file, Properties properties, TsuidLayout layout) {
    this.file = file;
    this.properties = properties;
    this.layout = layout;
  }

  /**
   * Reads a file.
   *
   * @param problems receives what is wrong with it
   * @return null if anything is
   */
  public static TsdConfigFile read(Path file, List<String> problems) {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      problems.add("--tsd-config must be an opentsdb.conf that can be read, found: " + e);
      return null;
    }
    int before = problems.size();
    int metric = width(properties, "tsd.storage.uid.width.metric", problems);
    int tagk = width(properties, "tsd.storage.uid.width.tagk", problems);
    int tagv = width(properties, "tsd.storage.uid.width.tagv", problems);
    return problems.size() > before
        ? null
        : new TsdConfigFile(file, properties, new TsuidLayout(metric, tagk, tagv));
  }

  private static int width(Properties properties, String key, List<String> problems) {
    String text = properties.getProperty(key);
    if (text == null || text.isEmpty()) {
      return DEFAULT_WIDTH;
    }
    try {
      int width = Integer.parseInt(text.trim());
      if (width >= 1 && width <= TsuidLayout.MAX_WIDTH) {
        return width;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    problems.add(
        "--tsd-config: " + key + " must be 1.." + TsuidLayout.MAX_WIDTH + " bytes, found: " + text);
    return DEFAULT_WIDTH;
  }

  /** The file. */
  public Path file() {
    return file;
  }

  /** Widths from {@code tsd.storage.uid.width.*}. */
  public TsuidLayout layout() {
    return layout;
  }

  /** {@code tsd.storage.hbase.meta_table}. */
  public String metaTable() {
    return properties.getProperty("tsd.storage.hbase.meta_table", "tsdb-meta");
  }

  /** {@code tsd.storage.hbase.uid_table}. */
  public String uidTable() {
    return properties.getProperty("tsd.storage.hbase.uid_table", "tsdb-uid");
  }

  /** {@code tsd.storage.hbase.zk_quorum}. */
  public String zkQuorum() {
    return properties.getProperty("tsd.storage.hbase.zk_quorum", "localhost");
  }

  /** {@code tsd.storage.hbase.zk_basedir}. */
  public String zkBasedir() {
    return properties.getProperty("tsd.storage.hbase.zk_basedir", "/hbase");
  }
}
