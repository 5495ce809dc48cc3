/** Series between their names in the input and their row keys. */
package io.tsdbsuite.bulk.series;
