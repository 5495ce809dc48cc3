package io.tsdbsuite.trigger.night;

import java.time.LocalDate;

/**
 * The two snapshots of one date.
 *
 * @param date by which they are named, of the exporter's choice
 * @param dataSnapshot of the data table
 * @param uidSnapshot of the UID table
 */
public record Night(LocalDate date, String dataSnapshot, String uidSnapshot) {}
