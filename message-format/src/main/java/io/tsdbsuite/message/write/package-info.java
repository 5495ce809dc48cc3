/**
 * Encodes the messages of rollups: {@link io.tsdbsuite.message.write.RollupPoint} in, JSON out.
 *
 * <p>One thread fills one {@code RollupPoint} again and again, and one {@link
 * io.tsdbsuite.message.write.MessageEncoder} writes it into one buffer: no object per point.
 */
package io.tsdbsuite.message.write;
