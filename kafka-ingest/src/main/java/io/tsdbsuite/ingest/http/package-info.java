/** The HTTP endpoints of the plugin, and the checks of requests that change rates. */
package io.tsdbsuite.ingest.http;
