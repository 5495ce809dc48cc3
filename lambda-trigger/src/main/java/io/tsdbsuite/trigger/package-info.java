/**
 * The five functions of AWS Lambda. {@link io.tsdbsuite.trigger.TriggerHandler} starts the rollup
 * pipeline when both snapshots of a night are complete on S3; {@link
 * io.tsdbsuite.trigger.PrepareHandler}, {@link io.tsdbsuite.trigger.ReportHandler} and {@link
 * io.tsdbsuite.trigger.LostInstancesHandler} are tasks of the state machine; {@link
 * io.tsdbsuite.trigger.NightCheckHandler} runs once a day. docs/aws-reference.md describes them.
 *
 * <p>They read and write streams and parse JSON with Jackson's tree model. The classes of
 * aws-lambda-java-events would add joda-time and reflective serialization to every cold start, for
 * a few fields.
 */
@NullMarked
package io.tsdbsuite.trigger;

import org.jspecify.annotations.NullMarked;
