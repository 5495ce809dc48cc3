/**
 * Rows of raw points: row keys, qualifiers, values, the kinds of cells, and the merge of a row's
 * cells into sorted points. Source: docs/storage.md 1 to 3.
 */
package io.tsdbsuite.format.row;
