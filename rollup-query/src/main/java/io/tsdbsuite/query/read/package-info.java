/**
 * Reads the series of a sub-query from several tables and chains their points: asynchbase scanners
 * of its own, decoded on threads of its own.
 */
package io.tsdbsuite.query.read;
