/** Writes rows to the table, by puts or as HFiles, with checkpoints that the journal records. */
@NullMarked
package io.tsdbsuite.bulk.write;

import org.jspecify.annotations.NullMarked;
