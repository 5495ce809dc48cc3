/** What the functions tell CloudWatch: structured lines and metrics, both on standard output. */
package io.tsdbsuite.trigger.log;
