/** What the plugins of the suite share beside their statistics: settings, versions, threads. */
package io.tsdbsuite.metrics.plugin;
