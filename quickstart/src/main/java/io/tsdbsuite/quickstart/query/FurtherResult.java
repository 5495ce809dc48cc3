package io.tsdbsuite.quickstart.query;

/**
 * A query that was asked of raw data, of a stock TSD and of the plugin.
 *
 * @param query the query
 * @param span the time and the series
 * @param rawMillis time from raw data, milliseconds
 * @param stock time from a stock TSD, and what is wrong with its answer; or its error
 * @param pluginMillis time by the plugin, milliseconds
 * @param reading what the plugin has read
 * @param comparison of raw data with the plugin's answer
 */
public record FurtherResult(
    Query query,
    QuerySpan span,
    double rawMillis,
    String stock,
    double pluginMillis,
    PluginReading reading,
    AnswerComparison comparison) {}
