/** Logs and metrics of the functions: lines of JSON on standard output, which CloudWatch reads. */
@NullMarked
package io.tsdbsuite.trigger.log;

import org.jspecify.annotations.NullMarked;
