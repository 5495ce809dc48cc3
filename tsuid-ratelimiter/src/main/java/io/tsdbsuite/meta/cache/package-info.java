/**
 * The state of each recently written series: packed into blocks, which Caffeine holds. Independent
 * of OpenTSDB and HBase.
 */
package io.tsdbsuite.meta.cache;
