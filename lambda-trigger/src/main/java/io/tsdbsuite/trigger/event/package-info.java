/**
 * Parses the SQS messages, which carry EventBridge's S3 events, and finds the night of each event's
 * object.
 */
@NullMarked
package io.tsdbsuite.trigger.event;

import org.jspecify.annotations.NullMarked;
