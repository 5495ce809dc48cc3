package io.tsdbsuite.report.write;

import org.jspecify.annotations.Nullable;

/**
 * Totals of one group: all series of a metric, or with one value of a tag.
 *
 * @param name the metric or the tag's value; null for series without the tag
 * @param matching series in the report
 * @param total series of the group, in the report or not
 * @param oldest oldest last received time of the matching series, ms since the epoch; null if none
 *     is tracked
 * @param newest newest last received time of the matching series, ms since the epoch; null if none
 *     is tracked
 */
public record Group(
    @Nullable String name,
    long matching,
    long total,
    @Nullable Long oldest,
    @Nullable Long newest) {}
