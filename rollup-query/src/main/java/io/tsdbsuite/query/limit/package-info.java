/** What all running queries together may hold, shared fairly between clients. */
package io.tsdbsuite.query.limit;
