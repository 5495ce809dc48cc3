/**
 * Writes the data of the quickstart: points through a TSD, text for bulk-loader, and HFiles into
 * its HBase.
 */
package io.tsdbsuite.quickstart.data;
