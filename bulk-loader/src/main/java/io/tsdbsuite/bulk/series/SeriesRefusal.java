package io.tsdbsuite.bulk.series;

import io.tsdbsuite.bulk.report.RejectReason;

/**
 * The reason why a series cannot be loaded.
 *
 * @param detail the rule and the name found
 */
public record SeriesRefusal(RejectReason reason, String detail) {}
