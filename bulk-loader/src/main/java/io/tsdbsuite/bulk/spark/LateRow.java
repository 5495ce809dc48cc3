package io.tsdbsuite.bulk.spark;

import java.io.Serializable;

/**
 * What the second look at the table has found for a finished HFile.
 *
 * @param region whose rows the file has
 * @param row the first that others have written into, for people; null if there is none
 */
record LateRow(int region, String row) implements Serializable {}
