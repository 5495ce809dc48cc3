/** How a job ends: its exception and its exit codes. */
package io.tsdbsuite.job;
