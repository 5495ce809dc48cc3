package io.tsdbsuite.nightly.config;

import java.util.List;

/**
 * Where the figures of reports go.
 *
 * @param command report-metrics.py; empty for no metrics
 * @param textfileDir directory of node_exporter's textfile collector; empty for none
 * @param push URL of a push gateway; empty for none
 * @param options further options of the command
 */
public record MetricsSettings(
    List<String> command, String textfileDir, String push, List<String> options) {}
