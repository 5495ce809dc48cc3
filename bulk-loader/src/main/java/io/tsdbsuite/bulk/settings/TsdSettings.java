package io.tsdbsuite.bulk.settings;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import java.nio.file.Path;
import java.util.Map;

/**
 * The target OpenTSDB.
 *
 * @param file its opentsdb.conf, absolute
 * @param config the TSD's configuration, with overrides applied
 * @param schema its tables
 * @param hbaseProperties HBase client properties that override all others
 */
public record TsdSettings(
    Path file, TsdConfig config, StorageSchema schema, Map<String, String> hbaseProperties) {}
