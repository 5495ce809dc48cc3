package io.tsdbsuite.bulk.spark;

import java.io.Serializable;

/**
 * A finished HFile that waits for the bulk load.
 *
 * @param region whose rows it has
 * @param name in the directory of the load
 */
record FinishedFile(int region, String name) implements Serializable {}
