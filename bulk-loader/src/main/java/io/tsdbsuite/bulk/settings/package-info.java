/** Settings of a load, read from options and from the TSD's configuration. */
package io.tsdbsuite.bulk.settings;
