/** The reports of rollup-job on S3. */
@NullMarked
package io.tsdbsuite.trigger.report;

import org.jspecify.annotations.NullMarked;
