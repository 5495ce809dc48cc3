package io.tsdbsuite.bulk.settings;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import java.nio.file.Path;
import java.util.Map;

/**
 * The OpenTSDB that is loaded.
 *
 * @param file its opentsdb.conf, absolute
 * @param config the TSD's configuration, with what was overridden
 * @param schema its tables
 * @param hbaseProperties HBase client properties that win over all others
 */
public record TsdSettings(
    Path file, TsdConfig config, StorageSchema schema, Map<String, String> hbaseProperties) {}
