/** Access to package-private methods of OpenTSDB: {@link net.opentsdb.core.SeriesRowKeys}. */
package net.opentsdb.core;
