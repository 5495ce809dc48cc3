/** What the plugin answers over HTTP, apart from HTTP itself. */
package io.tsdbsuite.ingest.http;
