/**
 * Starts the pipeline exactly once for each export of a night, as an execution of Step Functions.
 */
@NullMarked
package io.tsdbsuite.trigger.start;

import org.jspecify.annotations.NullMarked;
