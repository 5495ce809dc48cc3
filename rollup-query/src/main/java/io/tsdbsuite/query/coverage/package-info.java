/** The coverage that queries use: read in the background, and never older than a minute. */
package io.tsdbsuite.query.coverage;
