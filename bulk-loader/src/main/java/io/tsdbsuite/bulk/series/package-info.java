/** Series, and their row keys. */
package io.tsdbsuite.bulk.series;
