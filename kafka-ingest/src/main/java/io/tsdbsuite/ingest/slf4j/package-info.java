/** A class of slf4j that the TSD's version lacks. */
package io.tsdbsuite.ingest.slf4j;
