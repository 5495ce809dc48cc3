package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.Problems;
import java.time.Clock;
import java.util.Map;

/**
 * Context of a command besides its options.
 *
 * @param clock the present, for the hold-back and the reports
 * @param tsdKeys keys of opentsdb.conf given as options; they override the file's
 * @param problems problems of parsing; the command adds its own
 */
record Invocation(Console console, Clock clock, Map<String, String> tsdKeys, Problems problems) {}
