package io.tsdbsuite.report.model;

import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.format.uid.UidKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The part of the TSD's opentsdb.conf that a report needs, with OpenTSDB's own defaults. */
public final class TsdConfigFile {
  private final Path file;
  private final TsdConfig config;
  private final StorageSchema schema;

  private TsdConfigFile(Path file, TsdConfig config, StorageSchema schema) {
    this.file = file;
    this.config = config;
    this.schema = schema;
  }

  /**
   * Reads a file.
   *
   * @param problems receives the file's problems
   * @return null if it has any
   */
  public static TsdConfigFile read(Path file, List<String> problems) {
    try {
      TsdConfig config = TsdConfig.load(file);
      return new TsdConfigFile(file, config, StorageSchema.from(needed(config)));
    } catch (IOException e) {
      problems.add("--tsd-config must be an opentsdb.conf that can be read, found: " + e);
    } catch (SchemaException e) {
      add(e, problems);
    }
    return null;
  }

  /** Without the keys that no report depends on, so that their values do not stop it. */
  private static TsdConfig needed(TsdConfig config) {
    List<String> keys = new ArrayList<>(List.of(StorageSchema.META_TABLE, StorageSchema.UID_TABLE));
    for (UidKind kind : UidKind.values()) {
      keys.add(StorageSchema.widthKey(kind));
    }
    TsdConfig needed = TsdConfig.parse("");
    for (String key : keys) {
      String value = config.get(key);
      needed = value == null ? needed : needed.with(key, value);
    }
    return needed;
  }

  private static void add(SchemaException wrong, List<String> problems) {
    for (String problem : wrong.problems()) {
      problems.add("--tsd-config: " + problem);
    }
  }

  /** The file. */
  public Path file() {
    return file;
  }

  /** Widths from {@code tsd.storage.uid.width.*}. */
  public TsuidLayout layout() {
    return TsuidLayout.of(schema);
  }

  /** {@code tsd.storage.hbase.meta_table}. */
  public String metaTable() {
    return schema.metaTable();
  }

  /** {@code tsd.storage.hbase.uid_table}. */
  public String uidTable() {
    return schema.uidTable();
  }

  /**
   * Where the TSD finds its HBase.
   *
   * @param problems receives the problems of the keys
   * @return null if there are any
   */
  public HBaseAddress hbase(List<String> problems) {
    try {
      return HBaseAddress.from(config);
    } catch (SchemaException e) {
      add(e, problems);
      return null;
    }
  }
}
