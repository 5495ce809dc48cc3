package io.tsdbsuite.bulk.spark;

import java.io.Serializable;

/**
 * A finished HFile that waits for the bulk load.
 *
 * @param region index of the region
 * @param name file name, relative to the load's directory
 */
record FinishedFile(int region, String name) implements Serializable {}
