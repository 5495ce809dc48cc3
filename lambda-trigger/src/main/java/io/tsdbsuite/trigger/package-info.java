/**
 * The three functions of AWS Lambda. {@link io.tsdbsuite.trigger.TriggerHandler} starts the rollup
 * pipeline when both snapshots of a night are whole on S3; {@link
 * io.tsdbsuite.trigger.PrepareHandler} and {@link io.tsdbsuite.trigger.ReportHandler} are tasks of
 * the state machine. docs/aws-lambda.md describes them.
 *
 * <p>They read and write streams and take the JSON apart with Jackson's tree: the classes of
 * aws-lambda-java-events would bring joda-time and the runtime's reflective serialization, for a
 * handful of fields, into every cold start.
 */
package io.tsdbsuite.trigger;
