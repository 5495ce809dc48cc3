package io.tsdbsuite.report.write;

import org.jspecify.annotations.Nullable;

/**
 * Name, time and grouping of a report, for its header.
 *
 * @param name {@code idle} or {@code stopped}
 * @param now the time of the report, ms since the epoch
 * @param groupBy {@code metric} or a tag key; null for a list of series
 */
public record ReportKind(String name, long now, @Nullable String groupBy) {}
