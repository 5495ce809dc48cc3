package io.tsdbsuite.report.write;

import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * One series of a list, with resolved names.
 *
 * @param tsuid upper-case hex
 * @param metric name of the metric, or its UID in hex
 * @param tags tag values by key: names, or UIDs in hex
 * @param lastReceived ms since the epoch; null if never tracked
 * @param points the counter: points, or 1 if series are only tracked; null if never tracked
 * @param created creation time of its TSMeta, seconds since the epoch; null without a readable
 *     ts_meta
 */
public record Series(
    String tsuid,
    String metric,
    SortedMap<String, String> tags,
    @Nullable Long lastReceived,
    @Nullable Long points,
    @Nullable Long created) {}
