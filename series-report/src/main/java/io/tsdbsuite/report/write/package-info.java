/** How a report looks: table, CSV or JSON, and where it goes. */
package io.tsdbsuite.report.write;
