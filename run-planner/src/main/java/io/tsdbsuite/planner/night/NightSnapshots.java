package io.tsdbsuite.planner.night;

/**
 * A night whose snapshots are both there.
 *
 * @param night names of the snapshots
 * @param times times at which they were taken
 */
public record NightSnapshots(Night night, SnapshotTimes times) {}
