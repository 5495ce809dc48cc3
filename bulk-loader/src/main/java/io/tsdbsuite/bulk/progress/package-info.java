/** What a person, or a log, is told while a load runs. */
package io.tsdbsuite.bulk.progress;
