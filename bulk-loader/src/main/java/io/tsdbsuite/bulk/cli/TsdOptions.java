package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdKeys;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the target OpenTSDB. */
final class TsdOptions {
  /** Keys of opentsdb.conf that may be given as options. */
  static final List<String> KEYS =
      Stream.concat(
              StorageSchema.KEYS.stream(),
              Stream.of(
                  "tsd.storage.hbase.zk_quorum",
                  "tsd.storage.hbase.zk_basedir",
                  "tsd.storage.max_tags",
                  "tsd.core.tag.allow_specialchars",
                  "tsd.core.uid.random_metrics",
                  "tsd.storage.get_date_tiered_compaction_start"))
          .distinct()
          .toList();

  @Option(
      names = "--tsd-config",
      paramLabel = "FILE",
      description =
          "The TSD's opentsdb.conf: HBase address, table names, UID widths, salt, duplicate rules."
              + " Each key that is read can be overridden by an option of the same name, for"
              + " example --tsd.storage.salt.width=1.")
  @Nullable Path file;

  @Option(
      names = "--hbase-property",
      paramLabel = "K=V",
      description = "HBase or Hadoop client property. Can be repeated.")
  Map<String, String> hbaseProperties = new LinkedHashMap<>();

  /** The target; null when there are problems. */
  @Nullable TsdSettings read(Invocation invocation) {
    Problems problems = invocation.problems();
    TsdConfig config = TsdKeys.config(file, invocation.tsdKeys(), problems);
    StorageSchema schema = TsdKeys.schema(config, problems);
    return file == null || config == null || schema == null
        ? null
        : new TsdSettings(
            file.toAbsolutePath(), config, schema, Collections.unmodifiableMap(hbaseProperties));
  }
}
