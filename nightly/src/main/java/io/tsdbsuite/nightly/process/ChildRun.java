package io.tsdbsuite.nightly.process;

import java.time.Instant;

/**
 * A child process that has ended.
 *
 * @param status its exit status; 128 and the number of the signal that ended it
 * @param started time when it was started, by the clock of the system
 */
public record ChildRun(int status, Instant started) {}
