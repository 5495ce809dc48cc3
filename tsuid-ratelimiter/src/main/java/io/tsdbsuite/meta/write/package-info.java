/**
 * From a series that is due to its row in the meta table: what is written, how many writes are on
 * their way, what happens when they fail, and when the TSD stops.
 */
package io.tsdbsuite.meta.write;
