/**
 * Result of {@code verify}: which points of the input the table has, lacks, or has with another
 * value.
 */
@NullMarked
package io.tsdbsuite.bulk.verify;

import org.jspecify.annotations.NullMarked;
