package io.tsdbsuite.trigger.step;

import io.tsdbsuite.trigger.s3.S3Location;
import java.time.LocalDate;
import java.util.Optional;

/**
 * What the state machine does for one day; at least one of both.
 *
 * @param day UTC
 * @param report location of the report of the day's run
 * @param run the run; empty if the day is done and only its coverage is missing
 * @param coverage adds what the run proves to the coverage; empty without a coverage
 */
public record DayStep(
    LocalDate day, S3Location report, Optional<DayRun> run, Optional<JobRun> coverage) {}
