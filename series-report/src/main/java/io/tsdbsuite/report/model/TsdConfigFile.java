package io.tsdbsuite.report.model;

import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.job.cli.Problems;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of opentsdb.conf that a report needs, with OpenTSDB's defaults.
 *
 * @param schema names of tsdb-meta and tsdb-uid, widths of UIDs
 */
public record TsdConfigFile(Path file, TsdConfig config, StorageSchema schema) {
  /**
   * Reads a file.
   *
   * @param problems receives the problems of the file
   * @return null if the file has problems
   */
  public static @Nullable TsdConfigFile read(Path file, Problems problems) {
    try {
      TsdConfig config = TsdConfig.load(file);
      return new TsdConfigFile(file, config, StorageSchema.from(needed(config)));
    } catch (IOException e) {
      problems.add("--tsd-config " + file + " cannot be read: " + FileFailures.reason(e));
    } catch (SchemaException e) {
      problems.addAll("--tsd-config", e.problems());
    }
    return null;
  }

  /** Drops the keys that no report reads: an invalid value there must not end the report. */
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

  /** UID widths, bytes, from {@code tsd.storage.uid.width.*}. */
  public TsuidLayout layout() {
    return TsuidLayout.of(schema);
  }

  /**
   * The TSD's ZooKeeper quorum and base znode.
   *
   * @param problems receives invalid values of these keys
   * @return null if a value is invalid
   */
  public @Nullable HBaseAddress hbase(Problems problems) {
    try {
      return HBaseAddress.from(config);
    } catch (SchemaException e) {
      problems.addAll("--tsd-config", e.problems());
      return null;
    }
  }
}
