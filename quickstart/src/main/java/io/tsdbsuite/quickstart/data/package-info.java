/**
 * Writes the data of the quickstart: points through a TSD, text for bulk-loader, and HFiles into
 * its HBase.
 */
@NullMarked
package io.tsdbsuite.quickstart.data;

import org.jspecify.annotations.NullMarked;
