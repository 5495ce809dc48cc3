/**
 * Groups points by series and hour in memory, within a memory limit, and spills partial hours in
 * row key order.
 */
package io.tsdbsuite.bulk.group;
