/** Packed rollups: the rollups of a series and a row in one cell. Source: docs/storage.md 7. */
package io.tsdbsuite.format.packed;
