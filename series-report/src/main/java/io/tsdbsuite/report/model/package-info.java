/** What tsdb-meta and tsdb-uid hold, and where it can be read; knows neither HBase nor OpenTSDB. */
package io.tsdbsuite.report.model;
