package io.tsdbsuite.report.write;

import org.jspecify.annotations.Nullable;

/**
 * Totals of one group: all series of one metric, or all series with one value of a tag.
 *
 * @param name the metric or the tag's value; null for series without the tag
 * @param matching number of series of the group in the report
 * @param total number of series of the group, including series outside the report
 * @param oldest earliest last received time of the matching series, milliseconds since the epoch,
 *     UTC; null if no matching series is tracked
 * @param newest latest last received time of the matching series, milliseconds since the epoch,
 *     UTC; null if no matching series is tracked
 */
public record Group(
    @Nullable String name,
    long matching,
    long total,
    @Nullable Long oldest,
    @Nullable Long newest) {}
