package io.tsdbsuite.bulk.spark;

import java.io.Serializable;

/**
 * Result of the second check of the table for a finished HFile.
 *
 * @param region whose rows the file has
 * @param row the first that other writers have changed, for messages; null if there is none
 */
record LateRow(int region, String row) implements Serializable {}
