/**
 * Queries over rollups: a TSD with rollup-query beside TSDs without it, over the same tables, in
 * time, and whether their answers are those of raw data.
 */
@NullMarked
package io.tsdbsuite.bench.query;

import org.jspecify.annotations.NullMarked;
