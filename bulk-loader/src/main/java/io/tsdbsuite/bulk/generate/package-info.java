/**
 * Synthetic points: as rows without any text, as text, and one by one for whoever checks a load.
 */
package io.tsdbsuite.bulk.generate;
