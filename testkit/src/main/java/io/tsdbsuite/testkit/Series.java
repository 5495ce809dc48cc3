package io.tsdbsuite.testkit;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * One series of a query's answer.
 *
 * @param metric the metric
 * @param tags the tags that all series of this answer share
 * @param aggregateTags the tag keys whose values differ; empty with aggregator none
 * @param tsuids the TSUIDs, upper-case hex; one with aggregator none
 * @param points milliseconds since the epoch to value, in full double precision
 */
public record Series(
    String metric,
    Map<String, String> tags,
    List<String> aggregateTags,
    List<String> tsuids,
    SortedMap<Long, Double> points) {}
