/**
 * Plans a run: which rows of the data table to read, which store files contain them, and how they
 * are divided into partitions of similar size, one for each task. Reads the manifest and the
 * indexes of HFiles, no data. Runs on the driver; the partitions are shipped to the executors.
 */
@NullMarked
package io.tsdbsuite.rollup.plan;

import org.jspecify.annotations.NullMarked;
