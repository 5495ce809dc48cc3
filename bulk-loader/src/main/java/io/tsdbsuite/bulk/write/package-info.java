/** Writes rows to the table, by puts or as HFiles, with checkpoints that the journal records. */
package io.tsdbsuite.bulk.write;
