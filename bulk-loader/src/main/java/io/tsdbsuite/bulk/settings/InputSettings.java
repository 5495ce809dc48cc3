package io.tsdbsuite.bulk.settings;

import java.util.List;

/**
 * What is read.
 *
 * @param inputs files, globs, URIs, {@code -}
 * @param format opentsdb, json, influx, prometheus or auto
 * @param influxPrecision ns, us, ms or s
 * @param maxRejected points
 */
public record InputSettings(
    List<String> inputs, String format, String influxPrecision, long maxRejected) {}
