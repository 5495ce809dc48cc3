/**
 * Rows to write: packed points, their encoding as compacted cells, and sources of rows in key
 * order.
 */
@NullMarked
package io.tsdbsuite.bulk.row;

import org.jspecify.annotations.NullMarked;
