/** The few calls of S3 that the functions need. */
package io.tsdbsuite.trigger.s3;
