package io.tsdbsuite.bulk.spark;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Result of the second check of the table for a finished HFile.
 *
 * @param region whose rows the file has
 * @param row the first that other writers have changed, for messages; null if there is none
 */
record LateRow(int region, @Nullable String row) implements Serializable {}
