package io.tsdbsuite.bulk.settings;

import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.TimePrecision;
import java.io.Serializable;
import java.util.List;

/**
 * Settings of the input.
 *
 * @param inputs files, globs, URIs, {@code -}
 * @param format opentsdb, json, influx, prometheus or auto
 * @param influxPrecision unit of times in line protocol
 * @param influxChoice which lines of InfluxDB exports are loaded
 * @param maxRejected points
 */
public record InputSettings(
    List<String> inputs,
    String format,
    TimePrecision influxPrecision,
    InfluxChoice influxChoice,
    long maxRejected)
    implements Serializable {}
