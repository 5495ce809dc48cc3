/**
 * One limit of messages per second for all tasks of a job, however many run: the driver keeps the
 * schedule, tasks lease permits from it through Spark's plugin messages.
 */
package io.tsdbsuite.rollup.rate;
