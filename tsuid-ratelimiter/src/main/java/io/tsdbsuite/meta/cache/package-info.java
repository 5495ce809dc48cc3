/**
 * What is known of each series that was written lately: packed into blocks, held by Caffeine. Knows
 * neither OpenTSDB nor HBase.
 */
package io.tsdbsuite.meta.cache;
