/** What the quickstart writes: points through a TSD, and rows and HFiles into its HBase. */
package io.tsdbsuite.quickstart.data;
