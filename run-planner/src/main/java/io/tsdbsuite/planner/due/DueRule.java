package io.tsdbsuite.planner.due;

import java.time.Duration;
import java.time.LocalDate;
import java.util.Optional;

/**
 * Which days are rolled up.
 *
 * @param firstDay the first day, UTC
 * @param holdBack time between the end of a day and the snapshot that may be read for it, so that
 *     late points are in it
 * @param ttl TTL of the data table; empty if its data never expire
 * @param allowExpired whether a day is rolled up of which points have expired, but not all
 */
public record DueRule(
    LocalDate firstDay, Duration holdBack, Optional<Duration> ttl, boolean allowExpired) {}
