/** Sorted runs of partial hours in files, and their merge to rows. */
package io.tsdbsuite.bulk.spill;
