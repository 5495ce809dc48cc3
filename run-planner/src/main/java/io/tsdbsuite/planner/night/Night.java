package io.tsdbsuite.planner.night;

import java.time.LocalDate;

/**
 * A night: the pair of snapshots of one date.
 *
 * @param date the date in their names, chosen by the exporter
 * @param dataSnapshot name of the data table's snapshot
 * @param uidSnapshot name of the UID table's snapshot
 */
public record Night(LocalDate date, String dataSnapshot, String uidSnapshot) {}
