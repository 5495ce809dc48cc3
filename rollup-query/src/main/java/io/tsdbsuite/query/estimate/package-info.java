/**
 * How many series a query selects and how dense they are: estimates, from scans and from queries.
 */
package io.tsdbsuite.query.estimate;
