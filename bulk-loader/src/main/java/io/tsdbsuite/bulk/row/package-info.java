/**
 * Rows to write: packed points, their encoding as compacted cells, and sources of rows in key
 * order.
 */
package io.tsdbsuite.bulk.row;
