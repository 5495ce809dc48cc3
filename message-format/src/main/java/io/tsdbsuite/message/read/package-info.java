/**
 * Parses messages: JSON in, {@link io.tsdbsuite.message.read.Element}s out.
 *
 * <p>{@link io.tsdbsuite.message.read.MessageReader} reads a message. An element that breaks a rule
 * becomes a {@link io.tsdbsuite.message.read.BadElement} with its {@link
 * io.tsdbsuite.message.read.Reason}; a message that breaks one is a {@link
 * io.tsdbsuite.message.read.BadMessageException}. {@link io.tsdbsuite.message.read.MetricScanner}
 * reads the common form of points without objects.
 */
package io.tsdbsuite.message.read;
