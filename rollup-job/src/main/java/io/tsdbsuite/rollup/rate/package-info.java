/**
 * One limit of messages per second for all tasks of a job, independent of their number: the driver
 * keeps the schedule, and tasks lease permits from it through Spark plugin messages. Used by the
 * Kafka sink.
 */
@NullMarked
package io.tsdbsuite.rollup.rate;

import org.jspecify.annotations.NullMarked;
