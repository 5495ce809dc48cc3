/** Starting the pipeline once for each night, however often it is asked for. */
package io.tsdbsuite.trigger.start;
