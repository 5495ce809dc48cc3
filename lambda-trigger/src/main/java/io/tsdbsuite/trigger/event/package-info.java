/** What SQS delivers: EventBridge's events of S3, and which night they are about. */
package io.tsdbsuite.trigger.event;
