/** One running query: who answers its sub-queries, what it may use, and when it stops. */
package io.tsdbsuite.query.run;
