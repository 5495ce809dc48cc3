/**
 * The shadow check: after some queries one rolled-up bucket is computed again from raw data, and
 * compared with what the rollup table has.
 */
package io.tsdbsuite.query.shadow;
