/** Access to package-private methods of OpenTSDB: {@link net.opentsdb.core.RawQuery}. */
package net.opentsdb.core;
